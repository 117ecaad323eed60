package jfathom.runtime;

/** What is left to say at the end of a session. */
final class Ending {
    /** The clocks at the start, if the clock is the TSC. */
    static Pair from;

    private Ending() {}

    /** Adds what could not be recorded to the header. */
    static void flush() {
        Threads.flush();
        Tasks.flush();
    }

    /** The last word of the session. */
    static void close() {
        // The long span gives the frequency far better than the short one at the start.
        if (from != null) Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_CLOCK_HZ, from.hz(Pair.now()));
        Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_ENDED);
    }
}
