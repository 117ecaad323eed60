package jfathom.runtime;

/**
 * The host of live sessions: the agent opens them, through {@link AgentInterface}, and extends and
 * maps the session file, always in the same range of addresses.
 */
final class LiveHost extends Host {
    /** How long the first session compares the TSC with nanoTime. Later ones compare since then. */
    private static final long COMPARE_NANOS = 2_000_000;

    /** File offset of the last region, and the file's length: of the present session. */
    private long lastOffset;

    private long length;

    /** Opens {@code session} in the empty file {@code path}. Null, or why there is no session. */
    String open(
            SessionOpening session,
            String path,
            String clock,
            String metrics,
            String notices,
            boolean jdkMethods,
            long pid,
            long startMillis)
            throws ClassNotFoundException {
        SessionData before = SessionData.current;
        lastOffset = 0;
        length = 0;
        session.memory = before == null ? new InternalMemory() : Session.MEMORY;
        if (before != null && before.tsc && !TscChoice.byLibrary && jdkMethods) {
            return "an earlier session of this JVM has chosen the TSC as its clock, which is read"
                    + " through methods of the JDK that would be instrumented: leave out"
                    + " include-jdk, or restart the program";
        }
        if (!session.layOut(Layout.LIVE_IDS, Layout.LIVE_IDS, true, true, metrics)) {
            return "there is no space for " + path;
        }
        // layOut has grown the file once, and the first region of an empty file is at offset 0.
        if (lastOffset != 0) return path + " is not empty";
        if (before == null) {
            session.chooseClock(clock, COMPARE_NANOS, jdkMethods);
        } else {
            session.keepClock(before);
            String other = session.tsc ? Layout.CLOCK_NAME_NANO : Layout.CLOCK_NAME_TSC;
            if (other.equals(clock)) {
                String notice = "the clock of the JVM's first session is kept; asked for was ";
                session.addInfo(Layout.INFO_NOTICE, notice + clock);
            }
        }
        String why = session.setMetrics(metrics, jdkMethods);
        if (why != null) return why;
        session.describeJvm(pid, startMillis);
        if (notices != null) {
            for (String notice : notices.split("\n")) session.addInfo(Layout.INFO_NOTICE, notice);
        }
        SessionData.current = session;
        EarlyClasses.initialise(Session.class, Probe.class, Hooks.class);
        Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_READY);
        return null;
    }

    /** The agent opens the sessions. */
    @Override
    void openAtFirstProbe() {}

    @Override
    boolean opensLater() {
        return true;
    }

    @Override
    void retryOpening() {}

    @Override
    void firstCall(int id) {
        AgentInterface.firstCall(id);
    }

    /** The agent registers the native method as it defines the class. */
    @Override
    boolean provideTscLibrary() {
        return true;
    }

    @Override
    long vmSymbol(int which) {
        return AgentInterface.vmSymbol(which);
    }

    @Override
    long threadCpuNanos() {
        return AgentInterface.threadCpuNanos();
    }

    @Override
    void calibrateAtStart() {
        Calibration.atStart();
    }

    /** The agent instruments no task methods of the JDK. */
    @Override
    boolean hasTaskProbes(Class<?> type) {
        return false;
    }

    @Override
    long parkedPlace() {
        int mounts = Session.MEMORY.getInt(Session.HEAD, Layout.HEADER_MOUNTS);
        return mounts == Layout.MOUNTS_SEEN ? AgentInterface.parkedPlace() : 0;
    }

    @Override
    void watchMounts() {
        AgentInterface.watchMounts();
    }

    @Override
    long parkedSoFar(Thread thread) {
        return AgentInterface.parkedSoFar(thread);
    }

    @Override
    boolean isHelper(Thread thread) {
        return false;
    }

    @Override
    Region grow(long bytes, Memory memory) {
        long offset = AgentInterface.grow(bytes);
        if (offset < 0) return null;
        lastOffset = offset;
        length = offset + bytes;
        return new Region(AgentInterface.BASE + offset, null);
    }

    @Override
    long lastOffset() {
        return lastOffset;
    }

    @Override
    long fileLength() {
        return length;
    }

    @Override
    long freeSpace() {
        try {
            return AgentInterface.space();
        } catch (UnsatisfiedLinkError e) {
            return Long.MAX_VALUE;
        }
    }
}
