package jfathom.runtime;

/**
 * Calls that have no record, and are counted in the session's head alone.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class UnrecordedCalls extends Throwable {
    private UnrecordedCalls() {}

    /** Counts a call on a virtual thread, where calls of such threads are not recorded. */
    static void onVirtual(int id) {
        if (id >= Session.IDS) return;
        Session.MEMORY.add(Session.HEAD, Session.VIRTUAL + 8L * id, 1);
        Session.count(Layout.HEADER_VIRTUAL_CALLS, 1);
    }

    /** Counts a call of an id outside the span. Returns the mode of such ids. */
    static int outsideSpan() {
        Session.count(Layout.HEADER_OUTSIDE_SPAN, 1);
        return Layout.MODE_OFF;
    }
}
