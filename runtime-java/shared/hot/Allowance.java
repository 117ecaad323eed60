package jfathom.runtime;

/**
 * How many more calls of a method are timed before it is counted, and which of them are
 * flushed. The collector gives an allowance and renews it; so a method that turns hot
 * between two of its looks costs little.
 *
 * <p>Threads may take the same one of an allowance: it is a bound for the cost, and no count.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class Allowance extends Throwable {
    private static final int CALLS = (1 << Layout.FLUSH_SHIFT) - 1;
    private static final int FLUSH_MASK = (1 << Layout.FLUSH_BITS) - 1;
    /**
     * The golden ratio as a part of an int's range: its multiples are spread evenly, and follow no
     * period of the program.
     */
    private static final int GOLDEN = 0x9e3779b9;

    private Allowance() {}

    /** Takes one for a call that is timed, and gives the call's token; 0 if it is to be counted. */
    static int take(ThreadRecorder recorder, int id) {
        long place = Session.ALLOWANCES + 4L * id;
        int word = Session.MEMORY.getInt(Session.HEAD, place);
        int left = word & CALLS;
        if (left == 0) return Token.flushed(id);
        // A virtual thread goes on with another recorder.
        boolean outermost = word < 0 && recorder.activity == recorder.own;
        if (outermost && recorder.outermost.isOpen(id)) return 0;
        if (left != 1) {
            Session.MEMORY.putInt(Session.HEAD, place, word - 1);
        } else if (Session.MEMORY.mode(id) == Layout.MODE_TIME) {
            long mode = SessionData.current.modes + id;
            Session.MEMORY.putByte(Session.HEAD, mode, (byte) Layout.MODE_COUNT);
        }
        int spread = left * GOLDEN >>> 1;
        int shift = word >>> Layout.FLUSH_SHIFT & FLUSH_MASK;
        int token = Token.of(id, spread >>> 31 - shift != 0);
        return outermost ? token | Token.OUTERMOST : token;
    }
}
