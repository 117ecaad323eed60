package jfathom.runtime;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/**
 * The platform threads that record: the begin and end of their recorders. {@link ThreadTable#LOCK}
 * guards all fields.
 */
final class Threads {
    /** With more thread recorders than this, only some registrations look for dead threads. */
    private static final int SWEEP_ALWAYS = 64;
    /** A handed-off thread that was not started after this time never will be. */
    private static final long NEVER_STARTED_NANOS = 60_000_000_000L;

    /** All that are in {@link ThreadTable}. */
    private static final ArrayList<ThreadRecorder> ALL = new ArrayList<>();
    /** Registrations since the last sweep. */
    private static int sinceSweep;
    /** Number of the last thread that got a ring. */
    private static long sequence;

    private Threads() {}

    /**
     * Makes the recorder of the platform thread that runs this code, which has none, with a ring if
     * there is one. Not under the lock.
     */
    static ThreadRecorder registerCarrier(Thread thread) {
        if (SessionData.current.calibrateStart) Variant.HOST.calibrateAtStart();
        boolean virtual = !Carriers.ON && ThreadApi.isVirtual(thread);
        ThreadRecorder recorder = new ThreadRecorder(thread, virtual);
        // Busy from the beginning: probes in the methods called from here find it, and do nothing.
        recorder.busy = !recorder.virtual;
        synchronized (ThreadTable.LOCK) {
            sweep();
            insert(recorder);
        }
        if (recorder.virtual) return recorder;
        boolean started = false;
        try {
            Rings.awaitDrainedRing();
            synchronized (ThreadTable.LOCK) {
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
     * As {@link Recorders#handOff}, for a thread that is not recorded as a virtual one; {@code
     * virtual} if it is one.
     */
    static boolean handOff(Thread thread, boolean virtual, long handOff) {
        if (ThreadTable.ofPlatform(thread) != null) return false;
        ThreadRecorder recorder = new ThreadRecorder(thread, virtual);
        recorder.own.handOff(handOff);
        recorder.registration.handedOff = !recorder.virtual;
        recorder.registration.since = System.nanoTime();
        synchronized (ThreadTable.LOCK) {
            sweep();
            insert(recorder);
            ThreadTable.enter(recorder);
            return true;
        }
    }

    /** The first probe of a handed-off thread. */
    static void startHandedOff(ThreadRecorder recorder) {
        Rings.awaitDrainedRing();
        synchronized (ThreadTable.LOCK) {
            start(recorder);
        }
        // After a failure the next probe tries again.
        recorder.registration.handedOff = false;
        ExcludedTime.ignorePauses(recorder);
        long time = (Session.now() & (1L << Layout.TIME_BITS) - 1) >>> Layout.COARSE_SHIFT;
        long root = (long) recorder.own.root << Layout.ESCAPE_ID_SHIFT;
        boolean room = RingWriter.putNow(recorder, Layout.ESCAPE_TASK_OPEN | root | time);
        long number = recorder.own.takeNumber();
        if (room && number != 0) {
            long task = Layout.ESCAPE_TASK_NUMBER | number << Layout.ESCAPE_ID_SHIFT;
            room = RingWriter.putNow(recorder, task | time);
        }
        if (!room) Losses.count(recorder);
    }

    /**
     * Gives a recorder to a thread that has none. The thread is inside until {@link #forget}. False
     * if the thread's slot is not free.
     */
    static boolean insertInside(ThreadRecorder recorder) {
        synchronized (ThreadTable.LOCK) {
            if (!ThreadTable.isFree(recorder)) return false;
            insert(recorder);
            ThreadTable.enter(recorder);
            return true;
        }
    }

    /** Forgets all threads, of which none may be in the runtime. */
    static void reset() {
        synchronized (ThreadTable.LOCK) {
            ThreadTable.reset();
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
            synchronized (ThreadTable.LOCK) {
                remove(recorder);
            }
        } catch (Throwable e) {
            Errors.passOn(e);
        }
    }

    /** Adds to the header what could not be recorded, at the JVM's end. */
    static void flush() {
        synchronized (ThreadTable.LOCK) {
            for (ThreadRecorder recorder : ALL) {
                if (recorder.own.owed != null) Losses.count(recorder);
                recorder.losses.flush();
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
        recorder.lap.end = ring.origin + (long) ring.slots * Layout.RECORD_BYTES;
        int within = (int) (ring.position & ring.slots - 1);
        recorder.next = ring.origin + (long) within * Layout.RECORD_BYTES;
        recorder.lap.start = ring.position - within;
        recorder.high = Session.now() >>> Layout.TIME_BITS;
        recorder.exclude(0, Session.paused());
        long number = ++sequence;
        long kernelId = recorder.owner == Carriers.platform() ? KernelThread.id() : 0;
        Rings.assign(ring, number, recorder.tid, kernelId, name(recorder.owner));
        Session.count(Layout.HEADER_THREADS_SEEN, 1);
        recorder.lap.gaveUpAt = RingLap.NEVER;
        // There is room: a ring that is given out is empty, or the collector has just left.
        long high = recorder.high << 32;
        RingWriter.putNow(recorder, Layout.ESCAPE_THREAD_START | high | number & 0xffff_ffffL);
        if (SessionData.current.allocated != Layout.ALLOCATED_NONE) Allocated.watch(recorder);
        if (Session.THREAD_CLOCK && SessionData.current.threadClock) watchClock(recorder);
    }

    private static void watchClock(ThreadRecorder recorder) {
        recorder.clockGap = CpuReading.gap();
        if (recorder.cpu.begin()) RingWriter.putNow(recorder, Layout.ESCAPE_RAN | Layout.RAN_FIRST);
    }

    private static byte[] name(Thread thread) {
        String name = thread.getName();
        int most = Layout.RING_NAME_MAX / 3;
        if (name.length() > most) name = name.substring(0, most);
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Says in the current thread's ring, whose recorder is at no record, that a virtual thread has
     * ended. False if there was no room.
     */
    static boolean tellEnd(ThreadRecorder recorder, Activity ended) {
        long number = Session.MEMORY.tid(ended.thread) << 64 - Layout.ESCAPE_SHIFT;
        long record = Layout.ESCAPE_VIRTUAL_END | number >>> 64 - Layout.ESCAPE_SHIFT;
        return RingWriter.putNow(recorder, record);
    }

    private static void insert(ThreadRecorder recorder) {
        ALL.add(recorder);
        recorder.registration.index = ALL.size() - 1;
        ThreadTable.insert(recorder);
    }

    private static void remove(ThreadRecorder recorder) {
        // A carrier may die with the virtual thread that it ran last, which was not counted.
        if (recorder.inside == recorder.owner) Inside.add(-1);
        ThreadRecorder last = ALL.remove(ALL.size() - 1);
        if (last != recorder) {
            ALL.set(recorder.registration.index, last);
            last.registration.index = recorder.registration.index;
        }
        ThreadTable.remove(recorder);
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
            } else if (recorder.registration.handedOff) {
                // Not started so far, or dead without a probe.
                if (System.nanoTime() - recorder.registration.since < NEVER_STARTED_NANOS) continue;
            }
            remove(recorder);
            end(recorder);
        }
    }

    private static void end(ThreadRecorder recorder) {
        if (recorder.own.owed != null) Losses.count(recorder);
        recorder.losses.flush();
        Ring ring = recorder.ring;
        if (ring == null) return;
        CountedCalls.writeNow(recorder);
        RingWriter.putNow(recorder, Layout.ESCAPE_THREAD_END);
        ring.position = recorder.position();
        recorder.ring = null;
        recorder.counters = null;
        Rings.markEnded(ring);
    }
}
