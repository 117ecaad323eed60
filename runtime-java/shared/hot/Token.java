package jfathom.runtime;

/**
 * What a timed call's entry probe leaves for its other probes: the id plus one, and in the lowest
 * bit whether the call is unflushed ({@link Layout#UNFLUSHED}); and {@link #OUTERMOST}.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class Token extends Throwable {
    /** The call is in {@link ThreadRecorder#outermost}. */
    static final int OUTERMOST = 1 << 30;

    private static final int FIRST = 2;

    private Token() {}

    static int flushed(int id) {
        return (id << 1) + FIRST;
    }

    static int of(int id, boolean unflushed) {
        return flushed(id) + (unflushed ? 1 : 0);
    }

    static int id(int token) {
        return ((token & ~OUTERMOST) >> 1) - 1;
    }

    /** The bits that the token gives to the call's records. */
    static long bits(int token) {
        return (long) ((token & ~OUTERMOST) - FIRST) << Layout.TIME_BITS;
    }
}
