package jfathom.runtime;

import java.io.FileInputStream;
import java.util.concurrent.locks.LockSupport;

/** Flow control between the threads and the collector. */
final class Flow {
    /** Free slots that a wait is for: a wait ends with room for a record and the escapes around it. */
    private static final int ENOUGH = 8;
    private static final long PAUSE_NANOS = 50_000;
    /** One round of a wait counts for no more: the machine may have been asleep. */
    private static final long ROUND_NANOS = 100_000_000;
    /** How long a thread waits for a collector that gives no sign of life and is stopped or gone. */
    private static final long PATIENCE_NANOS = 2_000_000_000L;
    /** The same for one that nobody has seen so far. */
    private static final long PATIENCE_NONE_NANOS = 10_000_000_000L;
    /** The same for one whose process is there and not stopped: the machine may be loaded. */
    private static final long PATIENCE_SLOW_NANOS = 30_000_000_000L;

    /** Whether nobody waits any more: the collector has left or is dead. Stays so until the session's end. */
    static volatile boolean dead;

    private Flow() {}

    /** Records that the consumer has handed back to the ring's producers. */
    static long consumed(Ring ring) {
        return Session.MEMORY.getLong(ring.region, Layout.RING_CONSUMED);
    }

    /** Whether there is room for so many records; steps over the ring's end and asks the consumer where needed. */
    static boolean room(Recorder it, int records) {
        return it.next + (records - 1) * Layout.RECORD_BYTES < it.open || advance(it, records);
    }

    private static boolean advance(Recorder it, int slots) {
        Ring ring = it.ring;
        if (ring == null || dead) return false;
        if (it.next == it.end) {
            // Nothing of the new lap is known to be free: should the stack overflow below, the old limit must not stand.
            it.open = ring.origin;
            it.lap += ring.slots;
            it.next = ring.origin;
        }
        // Clamped: a damaged word in the shared file must not lead out of the ring.
        long free = Math.max(0, Math.min(ring.slots, consumed(ring) + ring.slots - it.position()));
        it.open = Math.min(it.end, it.next + free * Layout.RECORD_BYTES);
        return free >= slots;
    }

    /** Waits until the ring has room again; false if the collector is dead. The wait itself is the caller's to record. */
    static boolean await(final Recorder it) {
        if (dead) return false;
        Session.count(Layout.HEADER_WAITS, 1);
        return until(new Condition() {
            @Override
            boolean met() {
                return advance(it, ENOUGH);
            }
        });
    }

    /** What a wait is for. */
    abstract static class Condition {
        abstract boolean met();
    }

    /**
     * Waits until the condition is met, or the collector turns out dead. A permit that the wait has used up is given back;
     * the interrupt status is not touched.
     */
    static boolean until(Condition condition) {
        Life life = new Life();
        boolean parked = false;
        try {
            for (int round = 0; !condition.met(); round++) {
                if (life.over()) {
                    dead = true;
                    return false;
                }
                if (round < 4) {
                    Thread.yield();
                } else {
                    parked = true;
                    LockSupport.parkNanos(PAUSE_NANOS);
                    // An interrupted thread does not park.
                    Thread.yield();
                }
            }
            return true;
        } finally {
            if (parked) LockSupport.unpark(Thread.currentThread());
        }
    }

    /** How long a wait has seen no sign of life. */
    private static final class Life {
        private long beat = heartbeat();
        private long last = System.nanoTime();
        private long silent;
        private long patience = PATIENCE_NANOS;

        private static long heartbeat() {
            return Session.MEMORY.getLong(Session.HEAD, Layout.HEADER_HEARTBEAT);
        }

        /** Whether there is nobody to wait for. */
        boolean over() {
            if (dead) return true;
            int state = Session.MEMORY.getInt(Session.HEAD, Layout.HEADER_COLLECTOR_STATE);
            if (state == Layout.COLLECTOR_GONE) return true;
            long now = System.nanoTime();
            silent += Math.min(now - last, ROUND_NANOS);
            last = now;
            long seen = heartbeat();
            if (seen != beat) {
                beat = seen;
                silent = 0;
                patience = PATIENCE_NANOS;
                return false;
            }
            if (silent < patience) return false;
            long longer = state == Layout.COLLECTOR_NONE ? PATIENCE_NONE_NANOS : runs() ? PATIENCE_SLOW_NANOS : 0;
            patience = Math.max(patience, longer);
            return silent >= patience;
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
