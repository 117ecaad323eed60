package jfathom.runtime;

/** What the runtime writes at the end of a session. */
final class SessionEnd {
    /**
     * The clocks at the start of the JVM's first session, if its clock is the TSC; else null.
     * Written by {@link SessionOpening#chooseClock}.
     */
    static ClockPair from;

    private SessionEnd() {}

    /** Marks this moment as the end of the session: roots that are still open last until now. */
    static void stamp() {
        Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_END, Session.now());
        if (Host.opening.jfrClock) JfrClock.write();
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
        if (from != null) {
            long hz = from.hz(ClockPair.now());
            Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_CLOCK_HZ, hz);
        }
        Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_ENDED);
    }
}
