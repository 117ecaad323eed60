package jfathom.runtime;

/**
 * What a timed call's entry probe leaves for its other probes: the id plus one, and in the lowest
 * bit whether the call is unflushed ({@link Layout#UNFLUSHED}).
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class Token extends Throwable {
    private static final int FIRST = 2;

    private Token() {}

    static int flushed(int id) {
        return (id << 1) + FIRST;
    }

    static int of(int id, boolean unflushed) {
        return flushed(id) + (unflushed ? 1 : 0);
    }

    static int id(int token) {
        return (token >> 1) - 1;
    }

    /** The bits that the token gives to the call's records. */
    static long bits(int token) {
        return (long) (token - FIRST) << Layout.TIME_BITS;
    }
}
