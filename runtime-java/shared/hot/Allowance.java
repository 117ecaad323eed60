package jfathom.runtime;

/**
 * How many more calls of a method are timed before it is counted. The collector gives an allowance
 * and renews it; so a method that turns hot between two of its looks costs little.
 *
 * <p>Threads may take the same one of an allowance: it is a bound for the cost, and no count.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class Allowance extends Throwable {
    private Allowance() {}

    /** Takes one for a call that is timed. */
    static void take(int id) {
        long place = Session.ALLOWANCES + 4L * id;
        int left = Session.MEMORY.getInt(Session.HEAD, place);
        if (left == 0) return;
        if (left != 1) {
            Session.MEMORY.putInt(Session.HEAD, place, left - 1);
        } else if (Session.MEMORY.mode(id) == Layout.MODE_TIME) {
            long mode = SessionData.current.modes + id;
            Session.MEMORY.putByte(Session.HEAD, mode, (byte) Layout.MODE_COUNT);
        }
    }
}
