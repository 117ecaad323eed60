package jfathom.runtime;

import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;

/** The threads that record. */
final class Threads {
    /** Guards all that is written here, and the rings. */
    static final Object LOCK = new Object();
    /** With more thread recorders than this, only some registrations look for dead threads. */
    private static final int SWEEP_ALWAYS = 64;
    /** A handed-off thread that was not started after this time never will be. */
    private static final long NEVER_STARTED_NANOS = 60_000_000_000L;
    /**
     * Thread recorders of threads that record or have recorded, each at its own slot, as in {@link
     * Session#TABLE}. Written under the lock, read without.
     */
    private static final ThreadRecorder[] HOME = new ThreadRecorder[Session.TABLE_MASK + 1];
    /** The same as a list; guarded by the lock, as are the two numbers below. */
    private static final ArrayList<ThreadRecorder> ALL = new ArrayList<>();
    /**
     * What slots of threads outside hold: NO_RECORDER, and UNKNOWN once a virtual thread is inside.
     * Written under the lock, read without.
     */
    private static volatile ThreadRecorder outside = ThreadRecorder.NO_RECORDER;

    /** Whether no slot holds NO_RECORDER any more. As {@code outside}, and set after it. */
    private static volatile boolean knowsVirtual;

    /** Registrations since the last sweep. */
    private static int sinceSweep;
    /** Number of the last thread that got a ring. */
    private static long sequence;

    private Threads() {}

    /**
     * The recorder of the current thread, be that inside or outside; null without one. A virtual
     * thread that may wait before it has used the recorder must be pinned.
     */
    static ThreadRecorder find(Thread thread) {
        if (!Carriers.ON) return ofPlatform(thread);
        Thread carrier = Carriers.current();
        if (carrier != thread) return VirtualThreads.find(thread, carrier);
        ThreadRecorder recorder = ofPlatform(thread);
        boolean carries = recorder != null && recorder.activity != recorder.own;
        if (carries && !recorder.busy) recorder.mount(recorder.own);
        return recorder;
    }

    /** The recorder of a platform thread, or of a virtual one if these are not recorded. */
    static ThreadRecorder ofPlatform(Thread thread) {
        ThreadRecorder recorder = HOME[Session.slot(thread)];
        while (recorder != null && recorder.owner != thread) recorder = recorder.behind;
        return recorder;
    }

    /**
     * Makes the recorder of the current thread, which has none, with a ring if there is one. Null
     * if the carrier of a virtual thread is at work for another. Not under LOCK.
     */
    static ThreadRecorder register(Thread thread) {
        Thread platform = Carriers.ON ? Carriers.current() : thread;
        return platform == thread
                ? registerCarrier(thread)
                : VirtualThreads.register(thread, platform);
    }

    /** As {@link #register}, for the platform thread that runs this code. */
    static ThreadRecorder registerCarrier(Thread thread) {
        if (SessionData.current.calibrateStart) Variant.HOST.calibrateAtStart();
        boolean virtual = !Carriers.ON && ThreadApi.isVirtual(thread);
        ThreadRecorder recorder = new ThreadRecorder(thread, virtual);
        // Busy from the beginning: probes in the methods called from here find it, and do nothing.
        recorder.busy = !recorder.virtual;
        synchronized (LOCK) {
            sweep();
            insert(recorder);
        }
        if (recorder.virtual) return recorder;
        boolean started = false;
        try {
            Rings.awaitDrainedRing();
            synchronized (LOCK) {
                start(recorder);
            }
            started = true;
            return recorder;
        } finally {
            recorder.reopen();
            // After a failure, such as a full heap, the next probe tries again.
            if (!started) forget(recorder);
        }
    }

    /**
     * The thread of {@code from}, which is inside a root and at no record, is about to start this
     * thread, which will be inside from its first probe. False if this is no hand-off: the thread
     * runs or has run, or was handed off when an override of its {@code start()} was called.
     */
    static boolean handOff(ThreadRecorder from, Thread thread, long handOff) {
        if (thread.isAlive()) return false;
        boolean virtual = ThreadApi.isVirtual(thread);
        if (Carriers.ON && virtual) return VirtualThreads.handOff(from, thread, handOff);
        if (ofPlatform(thread) != null) return false;
        ThreadRecorder recorder = new ThreadRecorder(thread, virtual);
        recorder.own.handOff(handOff);
        recorder.handedOff = !recorder.virtual;
        recorder.since = System.nanoTime();
        synchronized (LOCK) {
            sweep();
            insert(recorder);
            enter(recorder);
            return true;
        }
    }

    /** The first probe of a handed-off thread. */
    static void startHandedOff(ThreadRecorder recorder) {
        Rings.awaitDrainedRing();
        synchronized (LOCK) {
            start(recorder);
        }
        // After a failure the next probe tries again.
        recorder.handedOff = false;
        SlowPath.ignorePauses(recorder);
        long time = (Session.now() & (1L << Layout.TIME_BITS) - 1) >>> Layout.COARSE_SHIFT;
        long root = (long) recorder.own.root << Layout.ESCAPE_ID_SHIFT;
        boolean room = writeNow(recorder, Layout.ESCAPE_TASK_OPEN | root | time);
        long number = recorder.own.takeNumber();
        if (room && number != 0) {
            long task = Layout.ESCAPE_TASK_NUMBER | number << Layout.ESCAPE_ID_SHIFT;
            room = writeNow(recorder, task | time);
        }
        if (!room) Losses.countLost(recorder);
    }

    /** Whether the slot is the recorder's own. Asked by its owner. */
    static boolean isHome(ThreadRecorder recorder) {
        return HOME[Session.slot(recorder.owner)] == recorder;
    }

    /**
     * Gives a recorder to a thread that has none. The thread is inside until {@link #forget}. False
     * if the thread's slot is not free.
     */
    static boolean insertInside(ThreadRecorder recorder) {
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
            knowsVirtual = false;
            outside = ThreadRecorder.NO_RECORDER;
            Arrays.fill(Session.TABLE, outside);
            CounterTable.reset();
            ALL.clear();
            ALL.trimToSize();
            sinceSweep = 0;
            sequence = 0;
        }
    }

    /** Forgets a virtual thread that has left its root, or a thread that cannot be registered. */
    static void forget(ThreadRecorder recorder) {
        try {
            synchronized (LOCK) {
                remove(recorder);
            }
        } catch (Throwable e) {
            Errors.passOn(e);
        }
    }

    /** Adds to the header what could not be recorded, at the JVM's end. */
    static void flush() {
        synchronized (LOCK) {
            for (ThreadRecorder recorder : ALL) {
                if (recorder.own.owed != null) Losses.countLost(recorder);
                Losses.flush(recorder);
            }
        }
    }

    /**
     * Gives the recorder a ring and writes its first record. Without a ring each of its records is
     * lost, and counted.
     */
    private static void start(ThreadRecorder recorder) {
        if (Variant.LIVE) recorder.watchParked(Variant.HOST.parkedPlace());
        Ring ring = Rings.acquire();
        if (ring == null) return;
        recorder.ring = ring;
        recorder.store = ring.region.store;
        recorder.adoptCounters();
        recorder.end = ring.origin + (long) ring.slots * Layout.RECORD_BYTES;
        int within = (int) (ring.position & ring.slots - 1);
        recorder.next = ring.origin + (long) within * Layout.RECORD_BYTES;
        recorder.lap = ring.position - within;
        recorder.high = Session.now() >>> Layout.TIME_BITS;
        recorder.exclude(0, Session.paused());
        long number = ++sequence;
        long kernelId = recorder.owner == Carriers.platform() ? KernelThread.id() : 0;
        Rings.assign(ring, number, recorder.tid, kernelId, name(recorder.owner));
        Session.count(Layout.HEADER_THREADS_SEEN, 1);
        recorder.gaveUpAt = ThreadRecorder.NONE;
        // There is room: a ring that is given out is empty, or the collector has just left.
        long high = recorder.high << 32;
        writeNow(recorder, Layout.ESCAPE_THREAD_START | high | number & 0xffff_ffffL);
        if (SessionData.current.allocated != Layout.ALLOCATED_NONE) Allocated.watch(recorder);
        if (Session.THREAD_CLOCK && SessionData.current.threadClock) watchClock(recorder);
    }

    private static void watchClock(ThreadRecorder recorder) {
        if (ThreadClock.watch(recorder)) writeNow(recorder, Layout.ESCAPE_RAN | Layout.RAN_FIRST);
    }

    private static byte[] name(Thread thread) {
        String name = thread.getName();
        int most = Layout.RING_NAME_MAX / 3;
        if (name.length() > most) name = name.substring(0, most);
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
        // Behind the one at home, which stays: a thread found before is found at any moment.
        recorder.behind = home.behind;
        VarHandle.releaseFence();
        home.behind = recorder;
        share(slot, home);
    }

    /**
     * Makes the slot lead to {@link #find} for ever. The thread at home may be leaving at this
     * moment: see {@link #leave}.
     */
    private static void share(int slot, ThreadRecorder home) {
        home.shared = true;
        VarHandle.fullFence();
        Session.TABLE[slot] = home;
    }

    /**
     * The recorder's thread comes inside: from here on its probes find the recorder. Called by the
     * thread itself, or before it starts.
     */
    static void enter(ThreadRecorder recorder) {
        if (recorder.activity != recorder.own) VirtualThreads.comeInside();
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
        if (HOME[slot] == (own ? recorder : null)) Session.TABLE[slot] = recorder;
    }

    /** A virtual thread is about to come inside: no slot says any more that all are outside. */
    static void knowVirtual() {
        if (knowsVirtual) return;
        synchronized (LOCK) {
            outside = ThreadRecorder.UNKNOWN;
            VarHandle.fullFence();
            for (int slot = 0; slot < Session.TABLE.length; slot++) {
                if (Session.TABLE[slot] == ThreadRecorder.NO_RECORDER) {
                    Session.TABLE[slot] = ThreadRecorder.UNKNOWN;
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
        Session.TABLE[slot] = outside;
        // Either this thread sees that the slot is shared, or the other's store follows this one.
        // The same for virtual threads.
        VarHandle.fullFence();
        if (recorder.shared) Session.TABLE[slot] = recorder;
        else if (outside != ThreadRecorder.NO_RECORDER) Session.TABLE[slot] = outside;
    }

    private static void remove(ThreadRecorder recorder) {
        // A carrier may die with the virtual thread that it ran last, which was not counted.
        if (recorder.inside == recorder.owner) Inside.add(-1);
        ThreadRecorder last = ALL.remove(ALL.size() - 1);
        if (last != recorder) {
            ALL.set(recorder.index, last);
            last.index = recorder.index;
        }
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
        Session.TABLE[slot] = heir == null ? outside : heir;
    }

    /**
     * Says in the current thread's ring, whose recorder is at no record, that a virtual thread has
     * ended. False if there was no room.
     */
    static boolean tellEnd(ThreadRecorder recorder, Activity ended) {
        long number = Session.MEMORY.tid(ended.thread) << 64 - Layout.ESCAPE_SHIFT;
        long record = Layout.ESCAPE_VIRTUAL_END | number >>> 64 - Layout.ESCAPE_SHIFT;
        return writeNow(recorder, record);
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

    /**
     * Writes a record if there is room, and never waits: under the lock, or for a thread's first
     * and last records.
     */
    private static boolean writeNow(ThreadRecorder recorder, long record) {
        if (!FlowControl.hasRoom(recorder, 1)) return false;
        SlowPath.put(recorder, record);
        return true;
    }

    private static void end(ThreadRecorder recorder) {
        if (recorder.own.owed != null) Losses.countLost(recorder);
        Losses.flush(recorder);
        Ring ring = recorder.ring;
        if (ring == null) return;
        CountedCalls.writeNow(recorder);
        writeNow(recorder, Layout.ESCAPE_THREAD_END);
        ring.position = recorder.position();
        recorder.ring = null;
        recorder.counters = null;
        Rings.markEnded(ring);
    }
}
