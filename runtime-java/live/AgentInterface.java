package jfathom.runtime;

/**
 * The interface between agent and runtime. The agent calls the static methods over JNI, and
 * registers the native ones. None of the static methods throws.
 *
 * <p>Sessions come one after another, as many as wanted. What {@link Session} holds as constants is
 * the same in all of them: the agent maps each session file at the same addresses, and the areas
 * have the same sizes.
 */
final class AgentInterface {
    /** Address at which the session file is mapped, in every session. */
    static final long BASE = base();
    /** Content hash of the agent's library, written by the agent that defined these classes. */
    static String agent;

    private AgentInterface() {}

    /** Address of the range in which session files are mapped. */
    static native long base();

    /**
     * Appends zeros to the session file and maps them. Returns their file offset, or −1 if there is
     * no space or no session.
     */
    static native long grow(long bytes);

    /** Bytes by which the session file may grow. May be unregistered. */
    static native long space();

    /**
     * A method is called inside a root for the first time. Returns when its callees are
     * instrumented.
     */
    static native void firstCall(int id);

    /** A Method or Constructor is about to be invoked, or becomes a method handle. */
    static native void reflected(Object member);

    /** A method handle is looked up, by MethodType. */
    static native void lookedUp(Class<?> type, String name, Object methodType);

    /**
     * Native code is about to call the method that the agent remembers of this thread. Returns when
     * that method is instrumented.
     */
    static native void calledByNative();

    /** See {@link Host#parkedPlace}. Called only if the agent sees threads park. */
    static native long parkedPlace();

    /** See {@link Host#watchMounts}. */
    static native void watchMounts();

    /** See {@link Host#parkedSoFar}. */
    static native long parkedSoFar(Thread thread);

    /** See {@link Host#vmSymbol}. May be unregistered. */
    static native long vmSymbol(int which);

    /** See {@link Host#threadCpuNanos}. May be unregistered. */
    static native long threadCpuNanos();

    /** Native code is about to call a method. Whether {@link #calledByNative} was called. */
    static boolean fromNative() {
        return Hooks.calledByNative();
    }

    /** Hash of the sources of these classes. */
    static long build() {
        return Variant.BUILD;
    }

    /** Opens a session in an empty file. Null, or a sentence that says why there is none. */
    static String start(
            String path,
            long pid,
            long startMillis,
            String clock,
            int ringBytes,
            int sampleRoots,
            boolean calibrateStart,
            boolean calibrateEnd,
            String metrics,
            String notices,
            boolean jdkMethods) {
        try {
            if (Gate.on) return "a session is open";
            SessionOpening session = new SessionOpening();
            session.ringBytes = SessionOpening.ringBytes(ringBytes);
            session.calibrateStart = calibrateStart;
            session.calibrateEnd = calibrateEnd;
            String why;
            synchronized (AgentInterface.class) {
                LiveHost host = (LiveHost) Variant.HOST;
                why = host.open(
                        session, path, clock, metrics, notices, jdkMethods, pid, startMillis);
            }
            if (why == null) {
                RootSampling.reset(sampleRoots);
                Inside.open();
                Gate.on = true;
                if (session.jfrClock) JfrClock.open();
            }
            return why;
        } catch (Throwable e) {
            return "the runtime could not begin: " + e;
        }
    }

    /** The JVM ends: threads that still run record until the process has ended. */
    static void end() {
        if (!Gate.on) return;
        try {
            SessionEnd.stamp();
            if (SessionData.current.calibrateEnd) Calibration.atEnd();
        } catch (Throwable e) {
            // The session ends without these measurements.
        }
        close();
    }

    /**
     * Ends the session: no probe begins to record from here on, though one that has begun may go
     * on. Calibrates before that, if it was asked for.
     */
    static void stop() {
        if (!Gate.on) return;
        try {
            // The loops' probes must find the session open.
            if (SessionData.current.calibrateEnd) Calibration.atEnd();
        } catch (Throwable e) {
            // The session ends without these measurements.
        }
        Gate.on = false;
        Inside.close();
        try {
            SessionEnd.stamp();
            if (SessionData.current.jfrClock) JfrClock.close();
            if (Carriers.ON) VirtualThreads.tellParked();
        } catch (Throwable e) {
            // Open roots have no time after their last record.
        }
        close();
    }

    private static void close() {
        try {
            SessionEnd.flush();
            SessionEnd.close();
        } catch (Throwable e) {
            // A full heap: the header's counters stay as they are.
        }
    }

    /** Whether a virtual thread waits in the runtime, as far as it can be known. */
    static boolean isBusy() {
        return Carriers.ON && Carriers.isAnyPinned();
    }

    /** Forgets the session, so that nothing of it stays. No thread may be in the runtime. */
    static void reset() {
        if (Gate.on) return;
        try {
            Threads.reset();
            if (Carriers.ON) {
                Carriers.reset();
                VirtualThreads.reset();
            }
            Rings.reset();
            Counters.reset();
            TaskMarks.reset();
            Tasks.reset();
            Hooks.reset();
            Calibration.reset();
            FlowControl.reset();
            if (SessionData.current.stacks) StackWalks.reset();
            if (SessionData.current.caught) CaughtClasses.reset();
        } catch (Throwable e) {
            // Nothing here allocates much. The next session overwrites what is left.
        }
    }

    /**
     * The agent has held this thread up for so many nanoseconds, without those that it has itself
     * added to HEADER_PAUSED.
     */
    static void paused(long nanos) {
        try {
            if (!Gate.on || nanos <= 0) return;
            ThreadRecorder recorder = Recorders.find(Thread.currentThread());
            if (recorder == null || recorder.awaiting) return;
            double ticks = Session.TSC ? nanos * (SessionData.current.hz / 1e9) : nanos;
            Activity activity = recorder.activity;
            if (recorder.inside == activity.thread) recorder.exclude((long) ticks);
            else if (activity.unsampled > 0) activity.unsampledSince += (long) ticks;
        } catch (Throwable e) {
            // An overflow of the stack: the time is not excluded.
        }
    }
}
