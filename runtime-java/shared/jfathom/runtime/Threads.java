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
    private static final Recorder[] HOME = new Recorder[Session.TABLE_MASK + 1];
    private static final ArrayList<Recorder> ALL = new ArrayList<>();
    private static int sinceSweep;
    private static long sequence;

    private Threads() {}

    /** The thread's recorder, inside or not, or null. */
    static Recorder find(Thread thread) {
        Recorder it = HOME[Session.slot(thread)];
        while (it != null && it.owner != thread) it = it.behind;
        return it;
    }

    /**
     * Makes the recorder of a thread that has none, with a ring if there is one to be had; not under the lock.
     */
    static Recorder register(Thread thread) {
        if (Start.opening.calibrateStart) Calibration.atStart();
        Recorder it = new Recorder(thread, Newer.virtual(thread));
        // Busy from the beginning: probes in what is called from here on find it, and do nothing.
        it.busy = !it.virtual;
        synchronized (LOCK) {
            sweep();
            insert(it);
        }
        if (it.virtual) return it;
        boolean started = false;
        try {
            Rings.awaitSpare();
            synchronized (LOCK) {
                start(it);
            }
            started = true;
            return it;
        } finally {
            it.reopen();
            // Such as for a full heap: the next probe tries again.
            if (!started) forget(it);
        }
    }

    /**
     * A thread inside {@code root} is about to start this one: it will be inside from its first probe. False if it cannot
     * be followed: it has a recorder already.
     */
    static boolean handOff(Thread thread, int root) {
        if (find(thread) != null) return false;
        Recorder it = new Recorder(thread, Newer.virtual(thread));
        it.depth = 1;
        it.root = root;
        it.handedOff = !it.virtual;
        it.since = System.nanoTime();
        synchronized (LOCK) {
            sweep();
            insert(it);
            enter(it);
            return true;
        }
    }

    /** The first probe of a thread that was handed off. */
    static void arrive(Recorder it) {
        it.handedOff = false;
        Rings.awaitSpare();
        synchronized (LOCK) {
            start(it);
        }
        Slow.forgetPauses(it);
        long time = (Session.now() & (1L << Layout.TIME_BITS) - 1) >>> Layout.COARSE_SHIFT;
        boolean room = writeNow(it, Layout.ESCAPE_TASK_OPEN | (long) it.root << Layout.ESCAPE_ID_SHIFT | time);
        if (!room) Losses.lose(it);
    }

    /**
     * Lets a recorder have a thread that has none, and that is inside until {@link #forget}. False if the thread's slot is
     * not free.
     */
    static boolean lend(Recorder it) {
        synchronized (LOCK) {
            if (HOME[Session.slot(it.owner)] != null) return false;
            insert(it);
            enter(it);
            return true;
        }
    }

    /** Forgets all threads, of which none may be in the runtime. */
    static void reset() {
        synchronized (LOCK) {
            Arrays.fill(HOME, null);
            Arrays.fill(Session.TABLE, Recorder.NOBODY);
            ALL.clear();
            ALL.trimToSize();
            sinceSweep = 0;
            sequence = 0;
        }
    }

    /** A virtual thread has left its root, or a thread could not be made known. */
    static void forget(Recorder it) {
        try {
            synchronized (LOCK) {
                remove(it);
            }
        } catch (Throwable e) {
            Slow.passOn(e);
        }
    }

    /** What could not be recorded and is not yet in the header, at the JVM's end. */
    static void flush() {
        synchronized (LOCK) {
            for (Recorder it : ALL) {
                if (it.owed != 0) Losses.lose(it);
                Losses.flush(it);
            }
        }
    }

    /** Gives the recorder a ring and writes its first record. Without a ring each of its records is lost, and counted. */
    private static void start(Recorder it) {
        Ring ring = Rings.take();
        if (ring == null) return;
        it.ring = ring;
        it.store = ring.region.store;
        it.blocks = ring.blocks;
        it.settle();
        it.end = ring.origin + (long) ring.slots * Layout.RECORD_BYTES;
        int within = (int) (ring.position & ring.slots - 1);
        it.next = ring.origin + (long) within * Layout.RECORD_BYTES;
        it.lap = ring.position - within;
        it.high = Session.now() >>> Layout.TIME_BITS;
        it.paused = Session.paused();
        long number = ++sequence;
        Rings.describe(ring, number, it.tid, name(it.owner));
        Session.count(Layout.HEADER_THREADS_SEEN, 1);
        it.gaveUpAt = Recorder.NONE;
        // There is room, as a ring that is given out is empty, or the collector has just left.
        writeNow(it, Layout.ESCAPE_THREAD_START | it.high << 32 | number & 0xffff_ffffL);
    }

    private static byte[] name(Thread thread) {
        String name = thread.getName();
        if (name.length() > Layout.RING_NAME_MAX / 3) name = name.substring(0, Layout.RING_NAME_MAX / 3);
        return name.getBytes(StandardCharsets.UTF_8);
    }

    private static void insert(Recorder it) {
        ALL.add(it);
        it.index = ALL.size() - 1;
        int slot = Session.slot(it.owner);
        Recorder home = HOME[slot];
        if (home == null) {
            HOME[slot] = it;
            return;
        }
        // Behind the one at home, which stays there: each thread that was found before is found at any moment.
        it.behind = home.behind;
        VarHandle.releaseFence();
        home.behind = it;
        share(slot, home);
    }

    /** Makes the slot lead to {@link #find} for ever. The thread at home may be leaving at this moment: see there. */
    private static void share(int slot, Recorder home) {
        home.shared = true;
        VarHandle.fullFence();
        Session.TABLE[slot] = home;
    }

    /** The recorder's thread comes inside: its probes find it from here on. By the thread itself, or before it starts. */
    static void enter(Recorder it) {
        it.inside = it.owner;
        it.settle();
        if (!it.busy) it.counting = it.countable;
        int slot = Session.slot(it.owner);
        if (HOME[slot] == it) Session.TABLE[slot] = it;
    }

    /** The recorder's thread goes outside. By the thread itself. */
    static void leave(Recorder it) {
        it.inside = null;
        it.countable = Recorder.NONE;
        it.counting = Recorder.NONE;
        int slot = Session.slot(it.owner);
        if (it.shared || HOME[slot] != it) return;
        Session.TABLE[slot] = Recorder.NOBODY;
        // Either this thread sees that the slot has come to be shared, or the other one's store comes after this one's.
        VarHandle.fullFence();
        if (it.shared) Session.TABLE[slot] = it;
    }

    private static void remove(Recorder it) {
        Recorder last = ALL.remove(ALL.size() - 1);
        if (last != it) {
            ALL.set(it.index, last);
            last.index = it.index;
        }
        int slot = Session.slot(it.owner);
        // What was removed keeps its way to those behind it: a thread may be looking for itself there.
        if (HOME[slot] != it) {
            Recorder before = HOME[slot];
            while (before.behind != it) before = before.behind;
            before.behind = it.behind;
            return;
        }
        Recorder heir = it.behind;
        // It may be running: its slot stays shared.
        if (heir != null) heir.shared = true;
        HOME[slot] = heir;
        Session.TABLE[slot] = heir == null ? Recorder.NOBODY : heir;
    }

    /** Ends the recorders of dead threads. */
    private static void sweep() {
        if (++sinceSweep < ALL.size() / 4 && ALL.size() > SWEEP_ALWAYS) return;
        sinceSweep = 0;
        for (int i = ALL.size() - 1; i >= 0; i--) {
            Recorder it = ALL.get(i);
            if (it.owner.isAlive()) continue;
            if (it.virtual) {
                // Only the JDK makes virtual threads, so getState is the JDK's own.
                if (it.owner.getState() == Thread.State.NEW) continue;
            } else if (it.handedOff) {
                // Not started so far, or dead without a probe.
                if (System.nanoTime() - it.since < NEVER_STARTED_NANOS) continue;
            }
            remove(it);
            end(it);
        }
    }

    /** Writes a record if there is room, and waits for none: under the lock, or at a thread's first and last records. */
    private static boolean writeNow(Recorder it, long record) {
        if (!Flow.room(it, 1)) return false;
        Session.MEMORY.put(it, it.next, record);
        it.next += Layout.RECORD_BYTES;
        return true;
    }

    private static void end(Recorder it) {
        if (it.owed != 0) Losses.lose(it);
        Losses.flush(it);
        Ring ring = it.ring;
        if (ring == null) return;
        if (it.pending != 0) writeNow(it, Slow.counted(it));
        writeNow(it, Layout.ESCAPE_THREAD_END);
        ring.position = it.position();
        it.ring = null;
        it.settle();
        Rings.ended(ring);
    }
}
