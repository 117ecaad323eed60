package jfathom.runtime;

/**
 * The methods that rewritten code calls.
 *
 * <p>They are small and alike on purpose: they are inlined into every instrumented method, and what
 * they share is spelled out in each, as a further call would be one more to inline. {@code
 * tests/all/probe_branches.rs} holds the alike ones against each other.
 *
 * <p>Where no session is open or to come, {@link #ENABLED} is false, and compilers drop the probes.
 * Live, an entry without a session is one plain load and a branch. In a session it reads the
 * method's mode. A counted call is counted in place, by {@link CounterTable}. All
 * else is one call, out of line, to {@link RecordWriter}: the compiler's work on an instrumented
 * method grows mostly with the calls in it.
 *
 * <p>An entry gives a {@link Token}: 0 if the call is not timed. A local variable of the method
 * keeps it for the other probes, which do nothing for 0. So a mode may change at any time, and what
 * has an entry record has an exit record. A root's own probes have no token: those of its handlers
 * pass the complement of its id.
 *
 * <p>A timed call compares threads by identity; the thread's number only says where to look. A
 * counted call compares the number alone, which no two threads have. A thread whose slot holds
 * {@link ThreadRecorder#NO_RECORDER} is outside. Virtual threads have slots, too, and find their
 * carrier's recorder there or out of line.
 */
public final class Probe {
    /**
     * Whether a session is open, or may still be opened. Rewritten methods jump over their entry
     * probe where it is false. Their tokens are 0 then, and a constant for compilers.
     */
    public static final boolean ENABLED;
    /**
     * Whether a session was opened before the first probe returned, and stays open. A constant in
     * compiled code, unlike {@link Gate#on}.
     */
    static final boolean OPEN;
    /**
     * Whether only the roots are timed, from the session's beginning to its end. Compiled code has
     * this as a constant, so that the probes of all methods within roots vanish from it.
     */
    static final boolean ROOTS_ONLY;
    /**
     * What {@link Gate#inside} is for good, or UNKNOWN. MANY where a session was opened before the
     * first probe: some thread nearly always is inside.
     */
    static final int INSIDE;

    private static final int UNKNOWN = 2;

    static {
        boolean opensLater = Host.start();
        OPEN = Gate.on;
        ENABLED = OPEN || Gate.pending || opensLater;
        ROOTS_ONLY = SessionData.current != null && SessionData.current.rootsOnly;
        if (!ENABLED || ROOTS_ONLY) INSIDE = Gate.NOBODY;
        else INSIDE = OPEN && !RootSampling.isOn() ? Gate.MANY : UNKNOWN;
    }

    private Probe() {}

    /** First in a method that records on every thread. */
    public static int methodEntry(int id) {
        if (!OPEN && !Gate.on) {
            if (Gate.pending) Host.retry();
            return 0;
        }
        int mode = Session.MEMORY.mode(id);
        if (mode == Layout.MODE_COUNT && Session.MEMORY.count(id)) return 0;
        return RecordWriter.methodEntry(id, mode);
    }

    /** First, and alone, in a method that is only counted, on every thread. */
    public static void countedEntry(int id) {
        if (!ENABLED) return;
        if (!OPEN && !Gate.on) {
            if (Gate.pending) Host.retry();
            return;
        }
        if (!Session.MEMORY.count(id)) RecordWriter.countedEntry(id);
    }

    /**
     * Before each return of a method with a token. Its more than 35 bytes of bytecode keep C1 from
     * inlining it: each inlined exit would update its one profile, which all threads share.
     */
    public static void methodExit(int token) {
        if (token != 0) {
            // Never: this is here for its size.
            if (OPEN && !ENABLED) {
                Thread thread = Thread.currentThread();
                ThreadRecorder recorder = ThreadTable.SLOTS[Session.slot(thread)];
                RecordWriter.exit(recorder, Layout.RETURN, token);
            }
            RecordWriter.returned(token);
        }
    }

    /** In the catch-all handler of a method with a token. */
    public static void methodThrow(int token) {
        if (token != 0) RecordWriter.thrown(token);
    }

    /** First in a method that records only inside a root. */
    public static int innerEntry(int id) {
        int inside = INSIDE;
        if (inside == UNKNOWN) inside = Gate.inside;
        if (inside > 0) return InnerProbe.entry(id);
        return inside == 0 ? 0 : OutsideProbe.entry(id);
    }

    /** First, and alone, in a method that is only counted, and only inside a root. */
    public static void countedInnerEntry(int id) {
        int inside = INSIDE;
        if (inside == UNKNOWN) inside = Gate.inside;
        if (inside > 0) InnerProbe.countedEntry(id);
        else if (inside != 0) OutsideProbe.countedEntry(id);
    }

    /** First in a root. */
    public static void rootEntry(int id) {
        if (!ENABLED) return;
        if (!OPEN && !Gate.on) {
            if (Gate.pending) Host.retry();
            if (!Gate.on) return;
        }
        Roots.entry(Thread.currentThread(), id);
    }

    /** Before each return of a root. */
    public static void rootExit(int id) {
        if (ENABLED && Gate.on) Roots.exit(Thread.currentThread(), id, Layout.RETURN);
    }

    /** In the catch-all handler of a root. */
    public static void rootThrow(int id) {
        if (ENABLED && Gate.on) Roots.exit(Thread.currentThread(), id, Layout.THROW);
    }

    /**
     * In a method that has caught an exception of a named class, before the handler's own code.
     * Takes the exception as an Object, for which the verifier loads no class.
     */
    public static void handleCatch(Object exception, int token) {
        if (!ROOTS_ONLY && token != 0) RecordWriter.caught(exception, token);
    }

    /** In a handler of any exception, as {@code finally} and {@code synchronized} have them. */
    public static void handleAny(int token) {
        if (!ROOTS_ONLY && token != 0) RecordWriter.caughtAny(token);
    }

    /**
     * Before the switch over the label of a Kotlin coroutine's continuation. The label is 0 where
     * the method begins; else a coroutine resumes it.
     */
    public static void resumed(int label, int id) {
        if (label == 0 || !ENABLED || ROOTS_ONLY) return;
        if (!OPEN && !Gate.on || INSIDE == UNKNOWN && Gate.inside == 0) return;
        if (Session.MEMORY.mode(id) < Layout.MODE_OFF) InnerProbe.countedEntry(id);
    }

    /** First in a task method. Its result goes to {@link #taskExit}. */
    public static int taskEntry(Object task) {
        return ENABLED && Gate.on ? Tasks.entry(task) : 0;
    }

    /** Before each exit of a task method. */
    public static void taskExit(int opened) {
        if (opened != 0) Tasks.exit(opened);
    }

    /** At a call site that hands a task to another thread: the object to pass on in its place. */
    public static Object handOff(Object task) {
        return ENABLED && Gate.on ? Tasks.handOff(task, false) : task;
    }

    /** The receiver of a call of {@code start()} or {@code fork()}. */
    public static void handOffReceiver(Object receiver) {
        if (ENABLED && Gate.on) Tasks.handOffReceiver(receiver);
    }

    /** {@link #handOff} for a task that runs again and again. */
    public static Object handOffPeriodic(Object task) {
        return ENABLED && Gate.on ? Tasks.handOff(task, true) : task;
    }

    /** {@link #handOff} for a function whose identity the callee never shows. */
    public static Object handOffFunction(Object task) {
        return ENABLED && Gate.on ? Tasks.handOffFunction(task) : task;
    }

    /** {@link #handOff} for all elements of a collection. */
    public static java.util.Collection<?> handOffAll(java.util.Collection<?> tasks) {
        return ENABLED && Gate.on ? Tasks.handOffAll(tasks) : tasks;
    }
}
