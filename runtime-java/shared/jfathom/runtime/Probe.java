package jfathom.runtime;

/**
 * What rewritten code calls.
 *
 * <p>Probes are small and alike on purpose: they are inlined into every instrumented method. Inert, a probe is one plain
 * load and a branch. Recording, it reads the mode of the method and looks the thread up in {@link Session#TABLE}. Calls
 * that are only counted are counted in place; all else is out of line, in {@link RecordWriter} and, where it is rare,
 * {@link SlowPath}.
 *
 * <p>The look-up of who records is by identity of the thread; its number only says where to look. Who counts is told by the
 * number alone, which no two threads have. A thread whose slot holds {@link ThreadRecorder#NO_RECORDER} is outside.
 */
public final class Probe {
    /** Whether a session is open: written by {@link Start}, plain, because a probe may see it late. */
    static boolean on;
    /** Whether a session could not be opened yet because the JVM is not up (placement in java.base). */
    static boolean pending;
    /** Whether a session was opened before the first probe returned, and stays open: a constant where code is compiled, unlike {@code on}. */
    static final boolean OPEN;
    /**
     * Whether the session times the roots alone, from its beginning to its end. The probes of all methods within roots are then
     * nothing in compiled code, which has this as a constant.
     */
    static final boolean ROOTS_ONLY;

    static {
        Start.begin();
        OPEN = on;
        ROOTS_ONLY = Start.opening != null && Start.opening.rootsOnly;
    }

    private Probe() {}

    /** First in a method that records on every thread. */
    public static void methodEntry(int id) {
        if (!OPEN && !on) {
            if (pending) Start.retry();
            return;
        }
        int mode = Session.MEMORY.mode(id);
        if (mode == Layout.MODE_COUNT) {
            long tid = Session.MEMORY.tid(Thread.currentThread());
            ThreadRecorder recorder = Session.TABLE[(int) tid & Session.TABLE_MASK];
            if (recorder.counts(tid)) recorder.count(id);
            else SlowPath.methodEntry(Thread.currentThread(), id, mode);
        } else if (mode == Layout.MODE_TIME) {
            RecordWriter.methodEntry(Session.TABLE[Session.slot(Thread.currentThread())], id);
        }
    }

    /** The same, and 0, which the compiler of the method cannot know. */
    public static int pinnedMethodEntry(int id) {
        if (!OPEN && !on) {
            if (pending) Start.retry();
            return 0;
        }
        int mode = Session.MEMORY.mode(id);
        if (mode == Layout.MODE_COUNT) {
            long tid = Session.MEMORY.tid(Thread.currentThread());
            ThreadRecorder recorder = Session.TABLE[(int) tid & Session.TABLE_MASK];
            if (recorder.counts(tid)) recorder.count(id);
            else SlowPath.methodEntry(Thread.currentThread(), id, mode);
        } else if (mode == Layout.MODE_TIME) {
            return RecordWriter.pinnedMethodEntry(Session.TABLE[Session.slot(Thread.currentThread())], id);
        }
        return 0;
    }

    /** Before each of its returns. */
    public static void methodExit(int id) {
        if ((OPEN || on) && (Session.MEMORY.mode(id) & Layout.MODE_MASK) == Layout.MODE_TIME) {
            ThreadRecorder recorder = Session.TABLE[Session.slot(Thread.currentThread())];
            if (recorder != ThreadRecorder.NO_RECORDER) RecordWriter.exit(recorder, Layout.RETURN | (long) id << Layout.TIME_BITS);
        }
    }

    /** In its catch-all handler. */
    public static void methodThrow(int id) {
        if ((OPEN || on) && (Session.MEMORY.mode(id) & Layout.MODE_MASK) == Layout.MODE_TIME) {
            ThreadRecorder recorder = Session.TABLE[Session.slot(Thread.currentThread())];
            if (recorder != ThreadRecorder.NO_RECORDER) RecordWriter.exit(recorder, Layout.THROW | (long) id << Layout.TIME_BITS);
        }
    }

    /** First in a method that records only inside a root. */
    public static void innerEntry(int id) {
        if (ROOTS_ONLY) return;
        if (!OPEN && !on) {
            if (pending) Start.retry();
            return;
        }
        int mode = Session.MEMORY.mode(id);
        if (mode == Layout.MODE_COUNT) {
            long tid = Session.MEMORY.tid(Thread.currentThread());
            ThreadRecorder recorder = Session.TABLE[(int) tid & Session.TABLE_MASK];
            if (recorder.counts(tid)) recorder.count(id);
            else if (recorder != ThreadRecorder.NO_RECORDER) SlowPath.innerEntry(Thread.currentThread(), id, mode);
        } else if (mode == Layout.MODE_TIME) {
            ThreadRecorder recorder = Session.TABLE[Session.slot(Thread.currentThread())];
            if (recorder != ThreadRecorder.NO_RECORDER) RecordWriter.entry(recorder, id);
        } else if (mode >= Layout.MODE_FIRST) {
            SlowPath.firstEntry(id);
        }
    }

    /** The same, and 0, which the compiler of the method cannot know. */
    public static int pinnedInnerEntry(int id) {
        if (ROOTS_ONLY) return 0;
        if (!OPEN && !on) {
            if (pending) Start.retry();
            return 0;
        }
        int mode = Session.MEMORY.mode(id);
        if (mode == Layout.MODE_COUNT) {
            long tid = Session.MEMORY.tid(Thread.currentThread());
            ThreadRecorder recorder = Session.TABLE[(int) tid & Session.TABLE_MASK];
            if (recorder.counts(tid)) recorder.count(id);
            else if (recorder != ThreadRecorder.NO_RECORDER) SlowPath.innerEntry(Thread.currentThread(), id, mode);
        } else if (mode == Layout.MODE_TIME) {
            ThreadRecorder recorder = Session.TABLE[Session.slot(Thread.currentThread())];
            if (recorder != ThreadRecorder.NO_RECORDER) return RecordWriter.pinnedEntry(recorder, id);
        } else if (mode >= Layout.MODE_FIRST) {
            SlowPath.firstEntry(id);
        }
        return 0;
    }

    /** Before each of its returns. */
    public static void innerExit(int id) {
        if (!ROOTS_ONLY && (OPEN || on) && (Session.MEMORY.mode(id) & Layout.MODE_MASK) == Layout.MODE_TIME) {
            ThreadRecorder recorder = Session.TABLE[Session.slot(Thread.currentThread())];
            if (recorder != ThreadRecorder.NO_RECORDER) RecordWriter.exit(recorder, Layout.RETURN | (long) id << Layout.TIME_BITS);
        }
    }

    /** In its catch-all handler. */
    public static void innerThrow(int id) {
        if (!ROOTS_ONLY && (OPEN || on) && (Session.MEMORY.mode(id) & Layout.MODE_MASK) == Layout.MODE_TIME) {
            ThreadRecorder recorder = Session.TABLE[Session.slot(Thread.currentThread())];
            if (recorder != ThreadRecorder.NO_RECORDER) RecordWriter.exit(recorder, Layout.THROW | (long) id << Layout.TIME_BITS);
        }
    }

    /** First in a root method. */
    public static void rootEntry(int id) {
        if (!OPEN && !on) {
            if (pending) Start.retry();
            return;
        }
        SlowPath.rootEntry(Thread.currentThread(), id);
    }

    /** The same, and 0, which the compiler of the method cannot know. */
    public static int pinnedRootEntry(int id) {
        if (!OPEN && !on) {
            if (pending) Start.retry();
            return 0;
        }
        return RecordWriter.pinnedRoot(Thread.currentThread(), id);
    }

    /** Before each of its returns. */
    public static void rootExit(int id) {
        if (on) SlowPath.rootExit(Thread.currentThread(), id, Layout.RETURN);
    }

    /** In its catch-all handler. */
    public static void rootThrow(int id) {
        if (on) SlowPath.rootExit(Thread.currentThread(), id, Layout.THROW);
    }

    /** In a method that has caught an exception, before the handler's own code. */
    public static void handleCatch(int id) {
        if (!ROOTS_ONLY && (OPEN || on) && (Session.MEMORY.mode(id) & Layout.MODE_MASK) == Layout.MODE_TIME) SlowPath.caught(Thread.currentThread(), id);
    }

    /** A number as it is, but not before {@code zero} is known, which a pinned entry has given. */
    public static float pin(int zero, float number) {
        return Float.intBitsToFloat(Float.floatToRawIntBits(number) ^ zero);
    }

    /** The same. */
    public static double pin(int zero, double number) {
        return Double.longBitsToDouble(Double.doubleToRawLongBits(number) ^ zero);
    }

    /** First in a task method; what it returns goes to {@link #taskExit}. */
    public static int taskEntry(Object task) {
        return on ? Tasks.entry(task) : 0;
    }

    /** Before each exit of a task method. */
    public static void taskExit(int opened) {
        if (opened != 0) Tasks.exit(opened);
    }

    /** At a call site that hands a task to another thread: what to pass on in its place. */
    public static Object handOff(Object task) {
        return on ? Tasks.handOff(task, false) : task;
    }

    /** The same for tasks that run again and again. */
    public static Object handOffPeriodic(Object task) {
        return on ? Tasks.handOff(task, true) : task;
    }

    /** The same for functions whose identity the callee never shows. */
    public static Object handOffFunction(Object task) {
        return on ? Tasks.handOffFunction(task) : task;
    }

    /** The same for all elements of a collection. */
    public static java.util.Collection<?> handOffAll(java.util.Collection<?> tasks) {
        return on ? Tasks.handOffAll(tasks) : tasks;
    }
}
