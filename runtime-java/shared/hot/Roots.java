package jfathom.runtime;

/**
 * Calls of roots: they bring a thread inside, and outside again.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class Roots extends Throwable {
    /** Calls whose frames are together larger than those of the exit probes, even interpreted. */
    private static final int RESERVED_CALLS = 48;

    private Roots() {}

    static void entry(Thread thread, int id) {
        boolean pinned = Carriers.pin();
        try {
            enterRoot(thread, id);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static void enterRoot(Thread thread, int id) {
        ThreadRecorder recorder = Recorders.find(thread);
        // A root within a root: where recursion ends in a StackOverflowError, an entry that raises
        // the depth must not meet an exit that cannot lower it.
        if (recorder != null && recorder.inside == thread) StackRoom.reserve(RESERVED_CALLS);
        if (recorder == null) {
            recorder = Recorders.registerOrNull(thread);
            if (recorder == null) {
                Recorders.lose(thread, 1, true);
                return;
            }
        }
        if (recorder.inside != thread && RootSampling.isOn() && leavesOut(recorder, id)) return;
        int mode = Session.MEMORY.mode(id);
        if (mode >= Layout.MODE_FIRST_CALL) mode = ModeFlags.awaitFirstCall(recorder, id);
        else if (mode < 0) mode = ModeFlags.handle(recorder, id, mode);
        // After what is excluded: while the thread was outside, it is in none of its times.
        if (recorder.inside != thread) beginInside(recorder);
        if (mode != Layout.MODE_OFF) {
            readRoot(recorder);
            RecordWriter.write(recorder, Layout.ENTRY | (long) id << Layout.TIMED_ID_SHIFT);
        }
        // After the record: if that overflows the stack, the method ends without an exit probe.
        if (recorder.inside == thread) {
            recorder.activity.depth++;
        } else {
            recorder.activity.depth = 1;
            recorder.activity.root = id;
            ThreadTable.enter(recorder);
        }
    }

    /** The thread comes inside: calls that were not recorded before have ended, too. */
    static void beginInside(ThreadRecorder recorder) {
        ExcludedTime.ignorePauses(recorder);
        recorder.beginParked();
        recorder.outermost.clear();
        recorder.activity.unrecorded = 0;
        if (recorder.heapPlace != 0) recorder.heap.settle(recorder.heapPlace);
    }

    /** Where not all methods read what they allocate, a call of a root does that here. */
    private static void readRoot(ThreadRecorder recorder) {
        if (Session.SELECTED && recorder.heap.reading != 0 && recorder.heapPlace != 0) {
            // COUNTED records come first.
            CountedCalls.write(recorder);
            Allocated.write(recorder);
        }
    }

    /** Whether root sampling leaves out a call of a root on a thread outside, which begins. */
    private static boolean leavesOut(ThreadRecorder recorder, int id) {
        if (recorder.virtual) return false;
        Activity activity = recorder.activity;
        if (activity.unsampled > 0) {
            // As for a root within a root.
            StackRoom.reserve(RESERVED_CALLS);
            activity.unsampled++;
            return true;
        }
        if (RootSampling.take(recorder.random)) return false;
        activity.unsampledRoot = id;
        activity.unsampledSince = Session.now() - Session.paused();
        activity.unsampled = 1;
        return true;
    }

    /** The end of a call of a root on a thread outside. */
    private static void endOutside(ThreadRecorder recorder) {
        Activity activity = recorder.activity;
        if (activity.unsampled == 0 || --activity.unsampled > 0) return;
        long now = Session.now() - Session.paused();
        long ticks = Math.max(now - activity.unsampledSince, 0);
        int shift = Math.max(Layout.UNSAMPLED_BITS - Long.numberOfLeadingZeros(ticks), 0);
        long duration = (long) shift << 64 - Layout.UNSAMPLED_BITS | ticks >>> shift;
        long root = (long) activity.unsampledRoot << Layout.ESCAPE_ID_SHIFT;
        SlowPath.write(recorder, Layout.ESCAPE_UNSAMPLED | root | duration, 0, SlowPath.UNTIMED);
        Recorders.forgetOutside(recorder, activity);
    }

    static void exit(Thread thread, int id, long type) {
        boolean pinned = Carriers.pin();
        try {
            exitRoot(thread, id, type);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static void exitRoot(Thread thread, int id, long type) {
        ThreadRecorder recorder = Recorders.find(thread);
        if (recorder == null) {
            Recorders.lose(thread, -1, true);
            return;
        }
        if (recorder.inside != thread) {
            endOutside(recorder);
            return;
        }
        // Before the record, which may overflow the stack: the depth must fall in any case.
        Activity activity = recorder.activity;
        leave(recorder);
        int mode = Session.MEMORY.mode(id) & Layout.MODE_MASK;
        if (mode != Layout.MODE_OFF) {
            readRoot(recorder);
            RecordWriter.write(recorder, type | (long) id << Layout.TIMED_ID_SHIFT);
        }
        Recorders.forgetOutside(recorder, activity);
    }

    static void leave(ThreadRecorder recorder) {
        if (--recorder.activity.depth > 0) return;
        // The JVM may link for the first time here.
        recorder.beginWork();
        ThreadTable.leave(recorder);
        recorder.endWork();
        if (recorder.virtual) Threads.forget(recorder);
    }
}
