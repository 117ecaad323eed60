package jfathom.runtime;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Which threads are inside: the thread recorders, by the low bits of their threads' numbers. Each
 * recorder has its home in one slot; those that come later stand behind it.
 */
final class ThreadTable {
    /** Guards all that is written here, the list of {@link Threads}, and the rings. */
    static final Object LOCK = new Object();
    /**
     * The thread recorders of threads that are inside, by the low bits of the thread's number. A
     * thread whose slot holds {@link ThreadRecorder#NO_RECORDER} is outside. A thread whose slot
     * holds another's thread recorder asks {@link Recorders#find}. A virtual thread's slot may hold
     * the recorder of the thread that has carried it. The thread at home in a slot writes it, and
     * others under {@link #LOCK}; probes read it without.
     */
    static final ThreadRecorder[] SLOTS = new ThreadRecorder[Session.TABLE_MASK + 1];
    /**
     * Thread recorders of threads that record or have recorded, each at its own slot, as in {@link
     * #SLOTS}. Written under the lock, read without.
     */
    private static final ThreadRecorder[] HOME = new ThreadRecorder[Session.TABLE_MASK + 1];
    /**
     * What slots of threads outside hold: NO_RECORDER, and UNKNOWN once a virtual thread is inside.
     * Written under the lock, read without.
     */
    private static volatile ThreadRecorder outside = ThreadRecorder.NO_RECORDER;

    /** Whether no slot holds NO_RECORDER any more. As {@code outside}, and set after it. */
    private static volatile boolean knowsVirtual;

    static {
        Arrays.fill(SLOTS, ThreadRecorder.NO_RECORDER);
    }

    private ThreadTable() {}

    /** The recorder of a platform thread, or of a virtual one if these are not recorded. */
    static ThreadRecorder ofPlatform(Thread thread) {
        ThreadRecorder recorder = HOME[Session.slot(thread)];
        while (recorder != null && recorder.owner != thread) recorder = recorder.behind;
        return recorder;
    }

    /** Whether the slot is the recorder's own. Asked by its owner. */
    static boolean isHome(ThreadRecorder recorder) {
        return HOME[Session.slot(recorder.owner)] == recorder;
    }

    /** Whether no recorder has its home in the slot of this one. Under the lock. */
    static boolean isFree(ThreadRecorder recorder) {
        return HOME[Session.slot(recorder.owner)] == null;
    }

    /** Gives a new recorder its place. Under the lock. */
    static void insert(ThreadRecorder recorder) {
        int slot = Session.slot(recorder.owner);
        ThreadRecorder home = HOME[slot];
        if (home == null) {
            HOME[slot] = recorder;
            return;
        }
        // Behind the one at home, which stays: a thread found before is found at any moment.
        recorder.behind = home.behind;
        VarHandle.releaseFence();
        home.behind = recorder;
        share(slot, home);
    }

    /**
     * Makes the slot lead to {@link Recorders#find} for ever. The thread at home may be leaving at
     * this moment: see {@link #leave}.
     */
    private static void share(int slot, ThreadRecorder home) {
        home.shared = true;
        VarHandle.fullFence();
        SLOTS[slot] = home;
    }

    /**
     * The recorder's thread comes inside: from here on its probes find the recorder. Called by the
     * thread itself, or before it starts.
     */
    static void enter(ThreadRecorder recorder) {
        if (recorder.activity != recorder.own) Inside.comeVirtual();
        else Inside.add(1);
        recorder.inside = recorder.activity.thread;
        recorder.outside = null;
        recorder.adoptCounters();
        if (!recorder.busy) CounterTable.ROWS[recorder.row] = recorder.counting;
        show(recorder);
    }

    /**
     * Puts the recorder into the slot of the thread that it records. A virtual thread leaves a
     * platform thread's slot alone, and asks out of line. Either only finds the recorder sooner so.
     */
    static void show(ThreadRecorder recorder) {
        boolean own = recorder.activity == recorder.own;
        int slot = Session.slot(recorder.activity.thread);
        if (HOME[slot] == (own ? recorder : null)) SLOTS[slot] = recorder;
    }

    /** A virtual thread is about to come inside: no slot says any more that all are outside. */
    static void knowVirtual() {
        if (knowsVirtual) return;
        synchronized (LOCK) {
            outside = ThreadRecorder.UNKNOWN;
            VarHandle.fullFence();
            for (int slot = 0; slot < SLOTS.length; slot++) {
                if (SLOTS[slot] == ThreadRecorder.NO_RECORDER) {
                    SLOTS[slot] = ThreadRecorder.UNKNOWN;
                }
            }
            // For ever: they come and go too often to be counted. Before the others may know of it:
            // they read then what is added here.
            Inside.add(1);
            knowsVirtual = true;
        }
    }

    /** The recorder's thread goes outside. Called by the thread itself. */
    static void leave(ThreadRecorder recorder) {
        recorder.inside = null;
        recorder.counting = CounterTable.CLOSED;
        CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
        if (recorder.activity != recorder.own) return;
        Inside.add(-1);
        int slot = Session.slot(recorder.owner);
        if (recorder.shared || HOME[slot] != recorder) return;
        SLOTS[slot] = outside;
        // Either this thread sees that the slot is shared, or the other's store follows this one.
        // The same for virtual threads.
        VarHandle.fullFence();
        if (recorder.shared) SLOTS[slot] = recorder;
        else if (outside != ThreadRecorder.NO_RECORDER) SLOTS[slot] = outside;
    }

    /** Takes a recorder out that was inserted. Under the lock. */
    static void remove(ThreadRecorder recorder) {
        int slot = Session.slot(recorder.owner);
        // A removed recorder keeps its link: a thread may be looking for itself there.
        if (HOME[slot] != recorder) {
            ThreadRecorder before = HOME[slot];
            while (before.behind != recorder) before = before.behind;
            before.behind = recorder.behind;
            return;
        }
        // Before the heir can have the row.
        CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
        VarHandle.releaseFence();
        ThreadRecorder heir = recorder.behind;
        // The heir's thread may be running: its slot stays shared.
        if (heir != null) heir.shared = true;
        HOME[slot] = heir;
        SLOTS[slot] = heir == null ? outside : heir;
    }

    /** Forgets all threads, of which none may be in the runtime. Under the lock. */
    static void reset() {
        Arrays.fill(HOME, null);
        knowsVirtual = false;
        outside = ThreadRecorder.NO_RECORDER;
        Arrays.fill(SLOTS, outside);
    }
}
