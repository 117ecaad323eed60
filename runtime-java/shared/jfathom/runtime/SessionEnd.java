package jfathom.runtime;

/** What is left to say at the end of a session. */
final class SessionEnd {
    /** The clocks at the start, if the clock is the TSC. */
    static ClockPair from;

    private SessionEnd() {}

    /** Adds what could not be recorded to the header. */
    static void flush() {
        Threads.flush();
        Tasks.flush();
    }

    /** The last word of the session. */
    static void close() {
        // The long span gives the frequency far better than the short one at the start.
        if (from != null) Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_CLOCK_HZ, from.hz(ClockPair.now()));
        Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_ENDED);
    }
}
