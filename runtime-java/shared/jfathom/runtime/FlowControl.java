package jfathom.runtime;

import java.io.FileInputStream;
import java.util.concurrent.locks.LockSupport;

/** FlowControl control between the threads and the collector. */
final class FlowControl {
    /** Free slots that a wait is for: a wait ends with room for a record and the escapes around it. */
    private static final int ENOUGH = 8;
    /** The pauses of a wait: so many threads may wait at once that short ones alone would take the processors from the collector. */
    private static final long PAUSE_NANOS = 50_000;

    private static final long LONGEST_PAUSE_NANOS = 2_000_000;
    /** One round of a wait counts for no more: the machine may have been asleep. */
    private static final long ROUND_NANOS = 100_000_000;
    /** How long a thread waits for a collector that gives no sign of life and is stopped or gone. */
    private static final long PATIENCE_NANOS = 2_000_000_000L;
    /** How long for any other, be it loaded, not there so far, or alive and not making room. */
    private static final long LONGEST_NANOS = 10_000_000_000L;
    /** What HEADER_TAKEN never is. */
    private static final long NEVER = -1;

    /** Whether the collector has left. Stays so until the session's end. Written by any thread that sees it. */
    static volatile boolean gone;
    /**
     * What HEADER_TAKEN was when a thread waited in vain: until it is another, nobody waits. NEVER while nobody has. Written by the
     * threads that wait.
     */
    private static volatile long vain = NEVER;

    private FlowControl() {}

    /** Records that the consumer has handed back to the ring's producers. */
    static long consumed(Ring ring) {
        return Session.MEMORY.getLong(ring.region, Layout.RING_CONSUMED);
    }

    /** Whether there is room for so many records; steps over the ring's end and asks the consumer where needed. */
    static boolean room(ThreadRecorder recorder, int records) {
        return recorder.next + (records - 1) * Layout.RECORD_BYTES < recorder.open || advance(recorder, records);
    }

    private static boolean advance(ThreadRecorder recorder, int slots) {
        Ring ring = recorder.ring;
        if (ring == null || gone) return false;
        if (recorder.next == recorder.end) {
            // Nothing of the new lap is known to be free: should the stack overflow below, the old limit must not stand.
            recorder.open = ring.origin;
            recorder.lap += ring.slots;
            recorder.next = ring.origin;
        }
        // Clamped: a damaged word in the shared file must not lead out of the ring.
        long free = Math.max(0, Math.min(ring.slots, consumed(ring) + ring.slots - recorder.position()));
        recorder.open = Math.min(recorder.end, recorder.next + free * Layout.RECORD_BYTES);
        return free >= slots;
    }

    /**
     * Waits until the ring has room again; false at once where there is no ring or nobody who makes room, and after a while where
     * nobody does. The wait itself is the caller's to record.
     */
    static boolean await(final ThreadRecorder recorder) {
        Ring ring = recorder.ring;
        if (ring == null || !mayWait()) return false;
        long consumed = consumed(ring);
        // Once in vain for this ring: not again before something of it was handed back.
        if (recorder.gaveUpAt == consumed) return false;
        Session.count(Layout.HEADER_WAITS, 1);
        boolean met = until(new Condition() {
            @Override
            boolean met() {
                return advance(recorder, ENOUGH);
            }
        });
        if (!met) recorder.gaveUpAt = consumed;
        return met;
    }

    /** Whether the collector may make room: it has not left, and has taken something since a thread waited in vain. */
    static boolean mayWait() {
        if (gone) return false;
        long since = vain;
        if (since == NEVER) return true;
        if (taken() == since) return false;
        vain = NEVER;
        return true;
    }

    private static long taken() {
        return Session.MEMORY.getLong(Session.HEAD, Layout.HEADER_TAKEN);
    }

    /** Forgets what earlier sessions have seen. */
    static void reset() {
        gone = false;
        vain = NEVER;
    }

    /** What a wait is for. */
    abstract static class Condition {
        abstract boolean met();
    }

    /**
     * Waits until the condition is met, but no longer than LONGEST_NANOS, and not for a collector that is gone. A permit that the
     * wait has used up is given back; the interrupt status is not touched.
     */
    static boolean until(Condition condition) {
        long taken = taken();
        Life life = new Life();
        long pause = PAUSE_NANOS;
        boolean parked = false;
        try {
            for (int round = 0; !condition.met(); round++) {
                if (life.over()) {
                    // Where others got room meanwhile, it is this wait alone that was in vain.
                    if (!gone && taken() == taken) vain = taken;
                    return false;
                }
                if (round < 4) {
                    Thread.yield();
                } else {
                    parked = true;
                    LockSupport.parkNanos(pause);
                    pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
                    // An interrupted thread does not park.
                    Thread.yield();
                }
            }
            return true;
        } finally {
            if (parked) LockSupport.unpark(Thread.currentThread());
        }
    }

    /** How long a wait has lasted, and how much of it without a sign of life. */
    private static final class Life {
        private long beat = heartbeat();
        private long last = System.nanoTime();
        private long waited;
        private long silent;
        private boolean runs;

        private static long heartbeat() {
            return Session.MEMORY.getLong(Session.HEAD, Layout.HEADER_HEARTBEAT);
        }

        /** Whether there is nobody to wait for, or the wait has lasted long enough. */
        boolean over() {
            // Another thread that waited as long has found nothing.
            if (!mayWait()) return true;
            int state = Session.MEMORY.getInt(Session.HEAD, Layout.HEADER_COLLECTOR_STATE);
            if (state == Layout.COLLECTOR_GONE) {
                gone = true;
                return true;
            }
            long now = System.nanoTime();
            long round = Math.min(now - last, ROUND_NANOS);
            last = now;
            waited += round;
            silent += round;
            long seen = heartbeat();
            if (seen != beat) {
                beat = seen;
                silent = 0;
                runs = false;
            }
            if (waited >= LONGEST_NANOS) return true;
            if (silent < PATIENCE_NANOS || runs) return false;
            // Asked once in a silence.
            runs = state == Layout.COLLECTOR_NONE || runs();
            return !runs;
        }

        /** Whether the collector's process is there and neither stopped nor a zombie. */
        private static boolean runs() {
            long pid = Session.MEMORY.getLong(Session.HEAD, Layout.HEADER_COLLECTOR_PID);
            byte[] text = new byte[512];
            try (FileInputStream in = new FileInputStream("/proc/" + pid + "/stat")) {
                int length = in.read(text);
                for (int i = length - 3; i > 0; i--) {
                    if (text[i] == ')') return "TtZX".indexOf(text[i + 2]) < 0;
                }
            } catch (java.io.IOException e) {
                // No such process.
            }
            return false;
        }
    }
}
