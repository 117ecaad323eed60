package jfathom.runtime;

/** The session that is open, or was last. The agent opens it, through {@link AgentInterface}, not the first probe. */
final class Start {
    /** How long the TSC is compared with nanoTime; sessions get better with the JVM's age. */
    private static final long COMPARE_NANOS = 2_000_000;

    /** Read by {@link Session}, of the first session, and by what must be of the present one. */
    static SessionOpening opening;

    private Start() {}

    static void begin() {}

    static void retry() {}

    static void firstCall(int id) {
        AgentInterface.firstCall(id);
    }

    /** Address of a function that reads the TSC, or 0. */
    static long tscCode() {
        try {
            return AgentInterface.tscCode();
        } catch (UnsatisfiedLinkError e) {
            return 0;
        }
    }

    /** Whether the task methods of this class, of the boot loader, have probes: no class of the JDK does. */
    static boolean taskProbes(Class<?> type) {
        return false;
    }

    /** Makes the session as {@code it} is asked for; null, or why there is none. */
    static String open(SessionOpening session, String path, String clock, String notices, boolean jdkMethods, long pid, long millis)
            throws ClassNotFoundException {
        SessionOpening before = opening;
        session.file = new SessionFile();
        session.memory = before == null ? new InternalMemory() : Session.MEMORY;
        if (before != null && before.tsc && jdkMethods) {
            return "an earlier session of this JVM has chosen the TSC as its clock, which is read through methods of the JDK"
                    + " that would be instrumented: leave out jdk-methods, or restart the program";
        }
        if (!session.layOut(Layout.LIVE_IDS, Layout.LIVE_IDS, true, true)) return "there is no space for " + path;
        if (session.file.lastOffset() != 0) return path + " is not empty";
        if (before == null) {
            session.clock(clock, COMPARE_NANOS, jdkMethods ? "reading session would call instrumented methods of the JDK" : null);
        } else {
            session.clock(before);
            String other = session.tsc ? "nano" : "tsc";
            if (other.equals(clock)) {
                session.inform(Layout.INFO_NOTICE, "the clock of the JVM's first session is kept; asked for was " + clock);
            }
        }
        session.describe(pid, millis);
        if (notices != null) {
            for (String notice : notices.split("\n")) session.inform(Layout.INFO_NOTICE, notice);
        }
        opening = session;
        initialise();
        Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_READY);
        return null;
    }

    /** A class whose initialisation meets a full heap is lost for ever, and one that meets a probe is too late. */
    private static void initialise() throws ClassNotFoundException {
        Class<?>[] classes = {
            Session.class, Probe.class, RecordWriter.class, SlowPath.class, Losses.class, FlowControl.class, Threads.class, Rings.class, Space.class, Counters.class,
            Tasks.class, TaskMarks.class, ThreadApi.class, Hooks.class
        };
        if (opening.calibrateStart || opening.calibrateEnd) {
            Class.forName(Calibration.class.getName(), true, null);
            Class.forName(CalibrationLoops.class.getName(), true, null);
        }
        for (Class<?> each : classes) Class.forName(each.getName(), true, null);
    }
}
