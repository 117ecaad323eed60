package jfathom.runtime;

import java.lang.invoke.VarHandle;

/**
 * The virtual threads that have an {@link Activity}, by identity. Their records go to the rings of
 * their carriers: a SWITCH record says whose records follow.
 *
 * <p>Only {@link Carriers#ON}. All but {@link #isKnownOutside} pin the current thread, or are
 * called by what does.
 */
final class VirtualThreads {
    private static final int SMALLEST = 64;
    /** With fewer activities nobody looks for dead threads. */
    private static final int SWEEP_FROM = 64;
    private static final long PAYLOAD_MASK = (1L << Layout.ESCAPE_SHIFT) - 1;

    /** Guards the table, its activities' links and the numbers below. */
    private static final Object LOCK = new Object();
    private static volatile Activity[] table = new Activity[SMALLEST];
    private static int count;
    /** With so many activities those of dead threads are removed. */
    private static int sweepAt = SWEEP_FROM;
    /** Odd while links of activities change that stay in the table. */
    private static volatile int changes;
    /** Whether the heap was full when a carrier was to have a recorder. */
    private static volatile boolean hasFailed;

    private VirtualThreads() {}

    /**
     * The carrier's recorder, with the thread as the one whose records it writes. Null if nothing
     * is known of the thread.
     */
    static ThreadRecorder find(Thread thread, Thread carrier) {
        ThreadRecorder recorder = ThreadTable.ofPlatform(carrier);
        boolean known = recorder != null && recorder.inside == thread;
        if (known && recorder.activity.recorder == recorder) {
            if (!recorder.busy && recorder.parked.ticks() != 0) recorder.switchAgain();
            // Another thread with the same slot has taken it.
            ThreadTable.show(recorder);
            return recorder;
        }
        int last = Inside.virtualCame();
        Activity activity = activity(thread);
        if (recorder != null && !recorder.busy && (activity == null || activity.depth == 0)) {
            recorder.outside = thread;
            recorder.outsideUntil = last;
        }
        if (activity == null) return null;
        if (recorder == null) recorder = registerOrNull(carrier);
        if (recorder == null) return null;
        // The slow path at work below this call is another thread's only if it is the carrier's
        // own: a virtual thread in it is pinned.
        if (!recorder.busy) recorder.mount(activity);
        return recorder.activity == activity ? recorder : null;
    }

    /**
     * Whether the thread is outside, as far as it can be known without a search: a platform thread
     * without a recorder, or a virtual one that its carrier has found outside, if none has come
     * inside since.
     */
    static boolean isKnownOutside(Thread thread) {
        Thread carrier = Carriers.current();
        ThreadRecorder recorder = ThreadTable.ofPlatform(carrier);
        if (carrier == thread) {
            return recorder == null || recorder.inside == null && recorder.activity == recorder.own;
        }
        return recorder != null
                && recorder.outside == thread
                && recorder.outsideUntil == Inside.virtualCame();
    }

    /** As {@link #find}, for a thread of which nothing is known. Null if it cannot record. */
    static ThreadRecorder register(Thread thread, Thread carrier) {
        ThreadRecorder recorder = ThreadTable.ofPlatform(carrier);
        if (recorder == null) recorder = Threads.registerCarrier(carrier);
        if (recorder.busy) return null;
        // There is one if the carrier could have no recorder before.
        Activity activity = activity(thread);
        if (activity == null) {
            activity = new Activity(thread);
            insert(recorder, activity);
        }
        recorder.mount(activity);
        return recorder;
    }

    /**
     * As {@link Recorders#handOff}, for a virtual thread. The current thread's recorder is at no
     * record.
     */
    static boolean handOff(ThreadRecorder recorder, Thread thread, long handOff) {
        if (activity(thread) != null) return false;
        insert(recorder, Activity.handedOff(thread, handOff));
        return true;
    }

    private static ThreadRecorder registerOrNull(Thread carrier) {
        try {
            return Threads.registerCarrier(carrier);
        } catch (Throwable e) {
            hasFailed = true;
            Errors.passOn(e);
            return null;
        }
    }

    /**
     * An entry (1), exit (−1) or counted call (0) of a virtual thread inside that has no recorder,
     * because the heap is full: as {@link RecordGroup#record}.
     */
    static void lose(Thread thread, int opened, boolean root) {
        Activity activity = hasFailed ? activity(thread) : null;
        if (activity == null || activity.depth == 0) return;
        if (root) activity.depth += opened;
        Session.count(Layout.HEADER_LOST_RINGLESS, 1);
        if (activity.unrecorded > 0) activity.unrecorded += opened;
        else if (opened > 0) activity.unrecorded = 1;
    }

    /**
     * Writes for how long threads inside were parked at the session's end, by a platform thread
     * that then has a ring. No thread writes any more, but threads go on: what they were parked
     * since the end is left out.
     */
    static void tellParked() {
        if (Variant.HOST.parkedPlace() == 0 || count == 0) return;
        ThreadRecorder recorder = Threads.registerCarrier(Carriers.platform());
        if (recorder.ring == null) return;
        long end = Session.MEMORY.getLong(Session.HEAD, Layout.HEADER_END);
        synchronized (LOCK) {
            for (Activity head : table) {
                for (Activity at = head; at != null; at = at.next) {
                    if (at.depth == 0) continue;
                    long now = Session.now();
                    long ticks = Variant.HOST.parkedSoFar(at.thread) - (now - end);
                    if (ticks <= 0) continue;
                    long number = Session.MEMORY.tid(at.thread) & PAYLOAD_MASK;
                    long time = now & PAYLOAD_MASK;
                    if (!RingWriter.makeRoom(recorder, SwitchRecord.MOST)
                            || !RingWriter.push(recorder, Layout.ESCAPE_SWITCH | number)
                            || !RingWriter.push(recorder, Layout.ESCAPE_SWITCH_TIME | time)
                            || !RingWriter.push(recorder, Layout.ESCAPE_PARKED | ticks)) {
                        return;
                    }
                }
            }
        }
    }

    /** What is known of the thread; null if that is nothing. */
    private static Activity activity(Thread thread) {
        int before = changes;
        Activity[] table = VirtualThreads.table;
        Activity activity = in(table, thread);
        VarHandle.acquireFence();
        // In the middle of a change the thread's may be missing in both places.
        if (activity != null || (before & 1) == 0 && before == changes) return activity;
        synchronized (LOCK) {
            return in(VirtualThreads.table, thread);
        }
    }

    private static Activity in(Activity[] table, Thread thread) {
        Activity at = table[place(thread, table.length)];
        while (at != null && at.thread != thread) at = at.next;
        return at;
    }

    private static int place(Thread thread, int length) {
        long tid = Session.MEMORY.tid(thread);
        return (int) (tid ^ tid >>> 20) & length - 1;
    }

    private static void insert(ThreadRecorder recorder, Activity activity) {
        ThreadTable.knowVirtual();
        synchronized (LOCK) {
            if (count >= sweepAt) {
                boolean open = recorder.limit != ThreadRecorder.CLOSED;
                // Nothing else is written while the ends of threads are, which move the limit.
                recorder.limit = ThreadRecorder.CLOSED;
                try {
                    sweep(recorder);
                } finally {
                    if (open) recorder.limit = recorder.open;
                }
            }
            if (count >= table.length) resize(table.length * 2);
            Activity[] table = VirtualThreads.table;
            int place = place(activity.thread, table.length);
            activity.next = table[place];
            VarHandle.releaseFence();
            table[place] = activity;
            count++;
        }
    }

    /** Forgets a virtual thread that is outside, unless it is to end a call or owes an exit. */
    static void forgetOutside(ThreadRecorder recorder, Activity activity) {
        if (activity == recorder.own || activity.depth > 0) return;
        if (activity.unsampled > 0 || activity.owed != null) return;
        synchronized (LOCK) {
            unlink(activity);
        }
    }

    /** Adds to the header what could not be recorded, at the session's end. */
    static void flush() {
        synchronized (LOCK) {
            for (Activity head : table) {
                for (Activity at = head; at != null; at = at.next) {
                    if (at.owed != null) Session.count(Layout.HEADER_LOST_WAITING, 1);
                }
            }
        }
    }

    /** The link of the one that is gone stays: a thread may be looking for itself there. */
    private static void unlink(Activity gone) {
        int place = place(gone.thread, table.length);
        Activity before = null;
        for (Activity at = table[place]; at != null; before = at, at = at.next) {
            if (at != gone) continue;
            if (before == null) table[place] = gone.next;
            else before.next = gone.next;
            count--;
            return;
        }
    }

    /** The ends of dead threads that find no room are told the next time. */
    private static void sweep(ThreadRecorder recorder) {
        for (Activity head : table) {
            for (Activity at = head; at != null; at = at.next) {
                // Only the JDK makes virtual threads, so getState is the JDK's own.
                boolean dead = !at.thread.isAlive() && at.thread.getState() != Thread.State.NEW;
                if (!dead) continue;
                if (recorder.ring != null && !FlowControl.gone) {
                    if (!Threads.tellEnd(recorder, at)) continue;
                }
                if (at.owed != null) Losses.count(recorder);
                unlink(at);
            }
        }
        sweepAt = Math.max(SWEEP_FROM, count * 2);
        if (count * 4 < table.length) resize(Math.max(SMALLEST, table.length / 2));
    }

    private static void resize(int length) {
        Activity[] other = new Activity[length];
        changes++;
        VarHandle.fullFence();
        for (Activity head : table) {
            for (Activity at = head; at != null; ) {
                Activity next = at.next;
                int place = place(at.thread, length);
                at.next = other[place];
                other[place] = at;
                at = next;
            }
        }
        table = other;
        changes++;
    }

    /** Forgets all threads, of which none may be in the runtime. */
    static void reset() {
        synchronized (LOCK) {
            table = new Activity[SMALLEST];
            count = 0;
            sweepAt = SWEEP_FROM;
            hasFailed = false;
        }
    }
}
