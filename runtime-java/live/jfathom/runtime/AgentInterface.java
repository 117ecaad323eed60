package jfathom.runtime;

/**
 * What agent and runtime have of each other. The agent calls the static methods over JNI, of which none throws, and
 * registers the native ones.
 *
 * <p>One session at a time, as many as wanted. What {@link Session} holds as constants is the same in all of them: the
 * agent maps each session's file at the same addresses, and the areas are as large in each.
 */
final class AgentInterface {
    /** Where the session file is mapped, in every session. */
    static final long BASE = base();
    /** What the agent that defined these classes calls itself: the content hash of its library. Set by it. */
    static String agent;

    private AgentInterface() {}

    /** Address of the range in which session files are mapped. */
    static native long base();

    /** Appends zeros to the session file and maps them; their file offset, or −1 if there is no space or no session. */
    static native long grow(long bytes);

    /** Bytes that the session file may grow by. May be missing. */
    static native long space();

    /** A method is called inside a root for the first time: comes back when its callees are live. */
    static native void firstCall(int id);

    /** A Method or Constructor is about to be invoked, or becomes a method handle. */
    static native void reflected(Object member);

    /** A method handle is looked up: by MethodType. */
    static native void lookedUp(Class<?> type, String name, Object methodType);

    /** NativeAccess code is about to call the method that the agent remembers of this thread: comes back when that is live. */
    static native void calledByNative();

    /** NativeAccess code is about to call a method: whether the agent was told. */
    static boolean fromNative() {
        return Hooks.calledByNative();
    }

    /** Address of a function without arguments that gives the time stamp counter, or 0. May be missing. */
    static native long tscCode();

    /**
     * Makes ready what takes long, if {@code clock} asks for it: from Java 22 on the way to the TSC, some 50 ms. Of use on
     * another thread, while the agent has other things to do, before the first session.
     */
    static void prepare(String clock) {
        try {
            synchronized (AgentInterface.class) {
                if (!"nano".equals(clock) && TscChoice.usable() == Layout.CLOCK_REASON_TSC_USABLE) TscPage.make();
            }
        } catch (Throwable e) {
            // The session finds out again, and says it.
        }
    }

    /** What the classes were built from; other sources have another one. */
    static long build() {
        return Layout.BUILD;
    }

    /** Opens a session whose file is there and empty. Null, or a sentence that says why there is none. */
    static String start(
            String path,
            long pid,
            long startMillis,
            String clock,
            int ringBytes,
            boolean calibrateStart,
            boolean calibrateEnd,
            String notices,
            boolean jdkMethods) {
        try {
            if (Probe.on) return "a session is open";
            SessionOpening session = new SessionOpening();
            session.ringBytes = SessionOpening.ringBytes(ringBytes);
            session.calibrateStart = calibrateStart;
            session.calibrateEnd = calibrateEnd;
            String why;
            synchronized (AgentInterface.class) {
                why = Start.open(session, path, clock, notices, jdkMethods, pid, startMillis);
            }
            if (why == null) Probe.on = true;
            return why;
        } catch (Throwable e) {
            return "the runtime could not begin: " + e;
        }
    }

    /** The JVM ends, and nothing is taken back: threads that still run record until the process has ended. */
    static void end() {
        if (!Probe.on) return;
        try {
            if (Start.opening.calibrateEnd) Calibration.atEnd();
        } catch (Throwable e) {
            // The session ends without these measurements.
        }
        close();
    }

    /**
     * Ends the session: no probe begins to record from here on, though one that has begun may go on. Measures the probes
     * before, if that was asked for.
     */
    static void stop() {
        if (!Probe.on) return;
        try {
            // Its probes must find the session open.
            if (Start.opening.calibrateEnd) Calibration.atEnd();
        } catch (Throwable e) {
            // The session ends without these measurements.
        }
        Probe.on = false;
        close();
    }

    private static void close() {
        try {
            SessionEnd.flush();
            SessionEnd.close();
        } catch (Throwable e) {
            // A full heap: the counters stay as they are.
        }
    }

    /** Forgets the session, so that nothing of it is kept. No thread may be in the runtime. */
    static void reset() {
        if (Probe.on) return;
        try {
            Threads.reset();
            Rings.reset();
            Counters.reset();
            TaskMarks.reset();
            Tasks.reset();
            Hooks.reset();
            Calibration.reset();
            FlowControl.reset();
        } catch (Throwable e) {
            // Nothing here allocates much; what is left is overwritten by the next session.
        }
    }

    /**
     * The agent has held this thread up for so many nanoseconds, those apart that it has itself added to HEADER_PAUSED.
     */
    static void paused(long nanos) {
        try {
            if (!Probe.on || nanos <= 0) return;
            ThreadRecorder recorder = Threads.find(Thread.currentThread());
            if (recorder == null || recorder.inside != recorder.owner || recorder.awaiting) return;
            double ticks = Session.TSC ? nanos * (Start.opening.hz / 1e9) : nanos;
            recorder.adjust((long) ticks);
        } catch (Throwable e) {
            // An overflow of the stack: the time stays in.
        }
    }
}
