package jfathom.runtime;

/**
 * What is known of a thread between its records. A platform thread's belongs to its recorder. A
 * virtual thread has one while it is inside, or in a call that root sampling left out, or owes an
 * exit; it takes 64 bytes beside its place in the table of {@link VirtualThreads}.
 *
 * <p>Written by the thread itself; before a handed-off thread starts, by the one that hands it off.
 */
final class Activity {
    /** In {@code unsampled}: the thread has not reached its first record. */
    private static final int HANDED_OFF = -1;

    final Thread thread;
    /** The next one in the same place of the table; guarded there. */
    Activity next;
    /**
     * The recorder that the thread has used last; null before the first. What another one says of
     * the thread is out of date.
     */
    ThreadRecorder recorder;
    /** What the thread owes; null for nothing. */
    Owed owed;
    /** Number of open roots and tasks, and 1 for a thread that records without a root. */
    int depth;
    /**
     * The root whose entry, or whose task, brought the thread inside; −1 if it records without a
     * root.
     */
    int root = -1;
    /** Number of open calls without an entry record. Nothing is recorded until all have ended. */
    int unrecorded;
    /**
     * Number of open calls of roots that root sampling left out, the first of which began outside;
     * or HANDED_OFF.
     */
    int unsampled;
    /**
     * The root of the first of them; before the first record of a thread that was handed off, the
     * number of the hand-off.
     */
    int unsampledRoot;
    /** When it began, in ticks without pauses. */
    long unsampledSince;
    /**
     * {@link ThreadRecorder#paused} less {@link ThreadRecorder#excluded}, of the recorder that has
     * written the thread's last record. What HEADER_PAUSED is above it belongs to none of the
     * thread's times.
     */
    long settled;

    Activity(Thread thread) {
        this.thread = thread;
    }

    /** Of a virtual thread with a {@link HandOff}. */
    static Activity handedOff(Thread thread, long handOff) {
        Activity activity = new Activity(thread);
        activity.handOff(handOff);
        activity.unsampled = HANDED_OFF;
        return activity;
    }

    /** The thread is handed off: it is inside from its first probe. */
    void handOff(long handOff) {
        depth = 1;
        root = HandOff.root(handOff);
        unsampledRoot = HandOff.number(handOff);
    }

    /** The number of the thread's hand-off, once. */
    int takeNumber() {
        int number = unsampledRoot;
        unsampledRoot = 0;
        return number;
    }

    /** Whether the virtual thread was handed off and has not reached its first record. */
    boolean isHandedOff() {
        return unsampled == HANDED_OFF;
    }

    /** The handed-off thread has its first record. */
    void start() {
        unsampled = 0;
    }
}
