package jfathom.runtime;

/**
 * What the runtime needs from the way it came into the JVM. Rewritten programs have {@code
 * AotHost}: it opens the session itself, at the first probe. Live sessions have {@code LiveHost}:
 * the agent opens and ends them. The shared classes call this class alone, through {@link
 * Variant#HOST}.
 *
 * <p>The contract:
 *
 * <ul>
 *   <li>No method is on a hot path. A probe gets here on a slow path, or where no session is open.
 *   <li>What a method throws, the caller catches as any other error of a slow path. So a method
 *       need not catch, but must leave its own state whole.
 *   <li>{@link #grow}, {@link #lastOffset}, {@link #fileLength} and {@link #freeSpace} are called
 *       with {@link ThreadTable#LOCK} held, or before the session is open, by the thread that opens
 *       it. All others may be called by several threads at once.
 * </ul>
 */
abstract class Host {
    /**
     * Called once, by the initialiser of {@link Probe}. Whatever fails leaves the probes inert.
     * Returns {@link #opensLater}.
     */
    static boolean start() {
        try {
            Variant.HOST.openAtFirstProbe();
            return Variant.HOST.opensLater();
        } catch (Throwable e) {
            Errors.passOn(e);
            return false;
        }
    }

    /** A probe has found {@link Gate#pending} set. Static, so that probes stay as small. */
    static void retry() {
        Variant.HOST.retryOpening();
    }

    /** Opens the session if the first probe is to do so, or sets {@link Gate#pending}. */
    abstract void openAtFirstProbe() throws Throwable;

    /**
     * Whether a session may be opened after the first probe, though none is {@link Gate#pending}.
     * Never changes.
     */
    abstract boolean opensLater();

    /** Opens the session that {@link #openAtFirstProbe} could not open yet, if it can be now. */
    abstract void retryOpening();

    /**
     * A method is called inside a root for the first time, and its mode asks for the agent.
     * Returns when the call may continue. The caller excludes the time from the thread's times.
     */
    abstract void firstCall(int id);

    /**
     * Makes {@link TscLibrary#read} callable. False if there is no library; throws if there is one
     * that cannot be used. Called at most once, by the thread that opens the first session.
     */
    abstract boolean provideTscLibrary() throws Throwable;

    /**
     * Address of a variable of the JVM, by its place in {@code jfathom_clock::VM_SYMBOLS}; 0 if
     * there is none. May throw an UnsatisfiedLinkError. Called where {@link #provideTscLibrary} has
     * returned true.
     */
    abstract long vmSymbol(int which);

    /**
     * The CPU time of the platform thread that runs this code, in ns. May throw an
     * UnsatisfiedLinkError. Called where {@link #provideTscLibrary} has returned true.
     */
    abstract long threadCpuNanos();

    /**
     * A thread is about to get its first record in a session that is calibrated at its start.
     * Measures the probes, if no thread has come here before. Not under a lock.
     */
    abstract void calibrateAtStart();

    /** Whether the task methods of this class, which the boot loader has defined, have probes. */
    abstract boolean hasTaskProbes(Class<?> type);

    /**
     * Address of a word of the platform thread that runs this code, for its life: the ticks for
     * which the virtual thread that it carries was parked since they were last set to zero. 0 if
     * nobody has asked for parked times.
     */
    abstract long parkedPlace();

    /** Sees when the current thread parks, a virtual one. Only if {@link #parkedPlace} is not 0. */
    abstract void watchMounts();

    /** Ticks for which the thread is parked and that have no record; 0 if it has a carrier. */
    abstract long parkedSoFar(Thread thread);

    /** Whether the thread works for the runtime. Its probes must not record. */
    abstract boolean isHelper(Thread thread);

    /**
     * Appends {@code bytes} zeros, a multiple of {@link Layout#AREA_ALIGN}, to the session file and
     * maps them. Null if there is no space. Space is allocated before it is mapped: a hole in a
     * full file system would be an error in the middle of the program's call.
     */
    abstract Region grow(long bytes, Memory memory);

    /** File offset of the region that {@link #grow} has returned last. */
    abstract long lastOffset();

    /** Length of the session file in bytes. */
    abstract long fileLength();

    /** Bytes by which the session file may still grow. */
    abstract long freeSpace();
}
