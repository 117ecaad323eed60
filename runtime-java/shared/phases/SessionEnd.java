package jfathom.runtime;

/** What the runtime writes at the end of a session. */
final class SessionEnd {
    private SessionEnd() {}

    /** Marks this moment as the end of the session: roots that are still open last until now. */
    static void stamp() {
        Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_END, Session.now());
        if (SessionData.current.jfrClock) JfrClock.write();
    }

    /** Adds to the header what could not be recorded. */
    static void flush() {
        Threads.flush();
        if (Carriers.ON) VirtualThreads.flush();
        Tasks.flush();
    }

    /** Marks the session as ended. */
    static void close() {
        // The long span gives the frequency far better than the short one at the start.
        if (ClockPair.first != null) {
            long hz = ClockPair.first.hz(ClockPair.now());
            Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_CLOCK_HZ, hz);
        }
        Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_ENDED);
    }
}
