package jfathom.runtime;

import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;

/** Which threads record. */
final class Threads {
    /** Guards all that is written here, and the rings. */
    static final Object LOCK = new Object();
    /** From so many recorders on not every registration looks for dead threads. */
    private static final int SWEEP_ALWAYS = 64;
    /** A thread that was handed off and not started after so long never will be. */
    private static final long NEVER_STARTED_NANOS = 60_000_000_000L;
    /** Threads that record or have recorded, each at its own slot, as in {@link Session#TABLE}. */
    private static final ThreadRecorder[] HOME = new ThreadRecorder[Session.TABLE_MASK + 1];
    private static final ArrayList<ThreadRecorder> ALL = new ArrayList<>();
    private static int sinceSweep;
    private static long sequence;

    private Threads() {}

    /** The thread's recorder, inside or not, or null. */
    static ThreadRecorder find(Thread thread) {
        ThreadRecorder recorder = HOME[Session.slot(thread)];
        while (recorder != null && recorder.owner != thread) recorder = recorder.behind;
        return recorder;
    }

    /**
     * Makes the recorder of a thread that has none, with a ring if there is one to be had; not under the lock.
     */
    static ThreadRecorder register(Thread thread) {
        if (Start.opening.calibrateStart) Calibration.atStart();
        ThreadRecorder recorder = new ThreadRecorder(thread, ThreadApi.virtual(thread));
        // Busy from the beginning: probes in what is called from here on find it, and do nothing.
        recorder.busy = !recorder.virtual;
        synchronized (LOCK) {
            sweep();
            insert(recorder);
        }
        if (recorder.virtual) return recorder;
        boolean started = false;
        try {
            Rings.awaitSpare();
            synchronized (LOCK) {
                start(recorder);
            }
            started = true;
            return recorder;
        } finally {
            recorder.reopen();
            // Such as for a full heap: the next probe tries again.
            if (!started) forget(recorder);
        }
    }

    /**
     * A thread inside {@code root} is about to start this one: it will be inside from its first probe. False if it cannot
     * be followed: it has a recorder already.
     */
    static boolean handOff(Thread thread, int root) {
        if (find(thread) != null) return false;
        ThreadRecorder recorder = new ThreadRecorder(thread, ThreadApi.virtual(thread));
        recorder.depth = 1;
        recorder.root = root;
        recorder.handedOff = !recorder.virtual;
        recorder.since = System.nanoTime();
        synchronized (LOCK) {
            sweep();
            insert(recorder);
            enter(recorder);
            return true;
        }
    }

    /** The first probe of a thread that was handed off. */
    static void arrive(ThreadRecorder recorder) {
        recorder.handedOff = false;
        Rings.awaitSpare();
        synchronized (LOCK) {
            start(recorder);
        }
        SlowPath.forgetPauses(recorder);
        long time = (Session.now() & (1L << Layout.TIME_BITS) - 1) >>> Layout.COARSE_SHIFT;
        boolean room = writeNow(recorder, Layout.ESCAPE_TASK_OPEN | (long) recorder.root << Layout.ESCAPE_ID_SHIFT | time);
        if (!room) Losses.lose(recorder);
    }

    /**
     * Lets a recorder have a thread that has none, and that is inside until {@link #forget}. False if the thread's slot is
     * not free.
     */
    static boolean lend(ThreadRecorder recorder) {
        synchronized (LOCK) {
            if (HOME[Session.slot(recorder.owner)] != null) return false;
            insert(recorder);
            enter(recorder);
            return true;
        }
    }

    /** Forgets all threads, of which none may be in the runtime. */
    static void reset() {
        synchronized (LOCK) {
            Arrays.fill(HOME, null);
            Arrays.fill(Session.TABLE, ThreadRecorder.NO_RECORDER);
            ALL.clear();
            ALL.trimToSize();
            sinceSweep = 0;
            sequence = 0;
        }
    }

    /** A virtual thread has left its root, or a thread could not be made known. */
    static void forget(ThreadRecorder recorder) {
        try {
            synchronized (LOCK) {
                remove(recorder);
            }
        } catch (Throwable e) {
            SlowPath.passOn(e);
        }
    }

    /** What could not be recorded and is not yet in the header, at the JVM's end. */
    static void flush() {
        synchronized (LOCK) {
            for (ThreadRecorder recorder : ALL) {
                if (recorder.owed != 0) Losses.lose(recorder);
                Losses.flush(recorder);
            }
        }
    }

    /** Gives the recorder a ring and writes its first record. Without a ring each of its records is lost, and counted. */
    private static void start(ThreadRecorder recorder) {
        Ring ring = Rings.take();
        if (ring == null) return;
        recorder.ring = ring;
        recorder.store = ring.region.store;
        recorder.blocks = ring.blocks;
        recorder.settle();
        recorder.end = ring.origin + (long) ring.slots * Layout.RECORD_BYTES;
        int within = (int) (ring.position & ring.slots - 1);
        recorder.next = ring.origin + (long) within * Layout.RECORD_BYTES;
        recorder.lap = ring.position - within;
        recorder.high = Session.now() >>> Layout.TIME_BITS;
        recorder.paused = Session.paused();
        long number = ++sequence;
        Rings.describe(ring, number, recorder.tid, name(recorder.owner));
        Session.count(Layout.HEADER_THREADS_SEEN, 1);
        recorder.gaveUpAt = ThreadRecorder.NONE;
        // There is room, as a ring that is given out is empty, or the collector has just left.
        writeNow(recorder, Layout.ESCAPE_THREAD_START | recorder.high << 32 | number & 0xffff_ffffL);
    }

    private static byte[] name(Thread thread) {
        String name = thread.getName();
        if (name.length() > Layout.RING_NAME_MAX / 3) name = name.substring(0, Layout.RING_NAME_MAX / 3);
        return name.getBytes(StandardCharsets.UTF_8);
    }

    private static void insert(ThreadRecorder recorder) {
        ALL.add(recorder);
        recorder.index = ALL.size() - 1;
        int slot = Session.slot(recorder.owner);
        ThreadRecorder home = HOME[slot];
        if (home == null) {
            HOME[slot] = recorder;
            return;
        }
        // Behind the one at home, which stays there: each thread that was found before is found at any moment.
        recorder.behind = home.behind;
        VarHandle.releaseFence();
        home.behind = recorder;
        share(slot, home);
    }

    /** Makes the slot lead to {@link #find} for ever. The thread at home may be leaving at this moment: see there. */
    private static void share(int slot, ThreadRecorder home) {
        home.shared = true;
        VarHandle.fullFence();
        Session.TABLE[slot] = home;
    }

    /** The recorder's thread comes inside: its probes find it from here on. By the thread itself, or before it starts. */
    static void enter(ThreadRecorder recorder) {
        recorder.inside = recorder.owner;
        recorder.settle();
        if (!recorder.busy) recorder.counting = recorder.countable;
        int slot = Session.slot(recorder.owner);
        if (HOME[slot] == recorder) Session.TABLE[slot] = recorder;
    }

    /** The recorder's thread goes outside. By the thread itself. */
    static void leave(ThreadRecorder recorder) {
        recorder.inside = null;
        recorder.countable = ThreadRecorder.NONE;
        recorder.counting = ThreadRecorder.NONE;
        int slot = Session.slot(recorder.owner);
        if (recorder.shared || HOME[slot] != recorder) return;
        Session.TABLE[slot] = ThreadRecorder.NO_RECORDER;
        // Either this thread sees that the slot has come to be shared, or the other one's store comes after this one's.
        VarHandle.fullFence();
        if (recorder.shared) Session.TABLE[slot] = recorder;
    }

    private static void remove(ThreadRecorder recorder) {
        ThreadRecorder last = ALL.remove(ALL.size() - 1);
        if (last != recorder) {
            ALL.set(recorder.index, last);
            last.index = recorder.index;
        }
        int slot = Session.slot(recorder.owner);
        // What was removed keeps its way to those behind it: a thread may be looking for itself there.
        if (HOME[slot] != recorder) {
            ThreadRecorder before = HOME[slot];
            while (before.behind != recorder) before = before.behind;
            before.behind = recorder.behind;
            return;
        }
        ThreadRecorder heir = recorder.behind;
        // It may be running: its slot stays shared.
        if (heir != null) heir.shared = true;
        HOME[slot] = heir;
        Session.TABLE[slot] = heir == null ? ThreadRecorder.NO_RECORDER : heir;
    }

    /** Ends the recorders of dead threads. */
    private static void sweep() {
        if (++sinceSweep < ALL.size() / 4 && ALL.size() > SWEEP_ALWAYS) return;
        sinceSweep = 0;
        for (int i = ALL.size() - 1; i >= 0; i--) {
            ThreadRecorder recorder = ALL.get(i);
            if (recorder.owner.isAlive()) continue;
            if (recorder.virtual) {
                // Only the JDK makes virtual threads, so getState is the JDK's own.
                if (recorder.owner.getState() == Thread.State.NEW) continue;
            } else if (recorder.handedOff) {
                // Not started so far, or dead without a probe.
                if (System.nanoTime() - recorder.since < NEVER_STARTED_NANOS) continue;
            }
            remove(recorder);
            end(recorder);
        }
    }

    /** Writes a record if there is room, and waits for none: under the lock, or at a thread's first and last records. */
    private static boolean writeNow(ThreadRecorder recorder, long record) {
        if (!FlowControl.room(recorder, 1)) return false;
        Session.MEMORY.put(recorder, recorder.next, record);
        recorder.next += Layout.RECORD_BYTES;
        return true;
    }

    private static void end(ThreadRecorder recorder) {
        if (recorder.owed != 0) Losses.lose(recorder);
        Losses.flush(recorder);
        Ring ring = recorder.ring;
        if (ring == null) return;
        if (recorder.pending != 0) writeNow(recorder, SlowPath.counted(recorder));
        writeNow(recorder, Layout.ESCAPE_THREAD_END);
        ring.position = recorder.position();
        recorder.ring = null;
        recorder.settle();
        Rings.ended(ring);
    }
}
