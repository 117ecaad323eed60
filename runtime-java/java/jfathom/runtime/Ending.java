package jfathom.runtime;

/** What is left to say at the end of a session. */
final class Ending {
    /** The clocks at the start, if the clock is the TSC. */
    static Pair from;

    private Ending() {}

    static void run() {
        try {
            Threads.flush();
            Tasks.flush();
            if (Start.opening.calibrateEnd) Calibration.atEnd();
            // The long span gives the frequency far better than the short one at the start.
            if (from != null) Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_CLOCK_HZ, from.hz(Pair.now()));
            Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_ENDED);
        } catch (Throwable e) {
            Slow.passOn(e);
        }
    }
}
