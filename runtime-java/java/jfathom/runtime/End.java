package jfathom.runtime;

/** The clean end of a session. All records are in the file already: a JVM that is killed loses only the mark. */
final class End extends Thread {
    /** The clocks at the start, if the clock is the TSC. */
    static Pair from;

    private End() {
        super("jfathom-end");
    }

    static void watch() {
        try {
            Runtime.getRuntime().addShutdownHook(new End());
        } catch (IllegalStateException e) {
            // The JVM is on its way down: then without the mark.
        }
    }

    @Override
    public void run() {
        try {
            Threads.flush();
            Tasks.flush();
            // The long span gives the frequency far better than the short one at the start.
            if (from != null) Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_CLOCK_HZ, from.hz(Pair.now()));
            Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_ENDED);
        } catch (Throwable e) {
            Slow.passOn(e);
        }
    }
}
