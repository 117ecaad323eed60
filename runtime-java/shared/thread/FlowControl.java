package jfathom.runtime;

import java.io.FileInputStream;
import java.util.concurrent.locks.LockSupport;

/** Flow control between the threads and the collector. */
final class FlowControl {
    /** A wait ends with so many free slots: a record and the escape records around it. */
    private static final int FREE_SLOTS = 8;
    /**
     * The pauses of a wait grow: many threads may wait at once, and with short pauses alone they
     * would take the processors from the collector.
     */
    private static final long FIRST_PAUSE_NANOS = 50_000;

    private static final long LONGEST_PAUSE_NANOS = 2_000_000;
    /** One round of a wait counts for no more: the machine may have been asleep. */
    private static final long LONGEST_ROUND_NANOS = 100_000_000;
    /** How long a thread waits for a stopped or dead collector without a heartbeat. */
    private static final long SILENCE_TIMEOUT_NANOS = 2_000_000_000L;
    /** How long it waits for any other: under load, not yet there, or alive without making room. */
    private static final long TIMEOUT_NANOS = 10_000_000_000L;
    /** A value that HEADER_TAKEN never has. */
    private static final long NEVER = -1;

    /**
     * Whether the collector has left. Set by any thread that sees it, and true until the session's
     * end.
     */
    static volatile boolean gone;
    /**
     * HEADER_TAKEN when a thread waited in vain: nobody waits until that changes. NEVER if no
     * thread has waited in vain since. Written by the threads that wait.
     */
    private static volatile long takenAtVainWait = NEVER;

    private FlowControl() {}

    /** Records that the consumer has handed back to the ring's producers. */
    static long consumed(Ring ring) {
        return Session.MEMORY.getLong(ring.region, Layout.RING_CONSUMED);
    }

    /**
     * Whether there is room for so many records. Steps over the ring's end and asks the consumer
     * where needed.
     */
    static boolean hasRoom(ThreadRecorder recorder, int records) {
        return recorder.next + (records - 1) * Layout.RECORD_BYTES < recorder.open
                || advance(recorder, records);
    }

    private static boolean advance(ThreadRecorder recorder, int slots) {
        Ring ring = recorder.ring;
        if (ring == null || gone) return false;
        if (recorder.next == recorder.lap.end) {
            // No slot of the new lap is known to be free. If the stack overflows below, the old
            // limit must not stand.
            recorder.open = ring.origin;
            recorder.lap.start += ring.slots;
            recorder.next = ring.origin;
        }
        // Clamped: a damaged word in the shared file must not lead out of the ring.
        long unused = consumed(ring) + ring.slots - recorder.position();
        long free = Math.max(0, Math.min(ring.slots, unused));
        recorder.open = Math.min(recorder.lap.end, recorder.next + free * Layout.RECORD_BYTES);
        return free >= slots;
    }

    /**
     * Waits until the ring has room. False at once without a ring or a collector that makes room,
     * and after a timeout if none is made. The caller excludes the wait from its times.
     */
    static boolean awaitRoom(final ThreadRecorder recorder) {
        Ring ring = recorder.ring;
        if (ring == null || !mayWait()) return false;
        long consumed = consumed(ring);
        // After one vain wait for this ring, no other before some of it was handed back.
        if (recorder.lap.gaveUpAt == consumed) return false;
        Session.count(Layout.HEADER_WAITS, 1);
        boolean met = awaitCondition(new Condition() {
            @Override
            boolean isMet() {
                return advance(recorder, FREE_SLOTS);
            }
        });
        if (!met) recorder.lap.gaveUpAt = consumed;
        return met;
    }

    /**
     * Whether the collector may make room: it has not left, and has taken records since a thread
     * waited in vain.
     */
    static boolean mayWait() {
        if (gone) return false;
        long since = takenAtVainWait;
        if (since == NEVER) return true;
        if (taken() == since) return false;
        takenAtVainWait = NEVER;
        return true;
    }

    private static long taken() {
        return Session.MEMORY.getLong(Session.HEAD, Layout.HEADER_TAKEN);
    }

    /** Forgets what earlier sessions have seen. */
    static void reset() {
        gone = false;
        takenAtVainWait = NEVER;
    }

    /** What a wait is for. Not a lambda: the JVM would link it within a program's call. */
    abstract static class Condition {
        abstract boolean isMet();
    }

    /**
     * Waits until the condition is met, but no longer than TIMEOUT_NANOS, and not for a collector
     * that is gone. Gives back a permit that the wait has used up, and leaves the interrupt status
     * as it is.
     */
    static boolean awaitCondition(Condition condition) {
        long taken = taken();
        Wait wait = new Wait();
        long pause = FIRST_PAUSE_NANOS;
        boolean parked = false;
        try {
            for (int round = 0; !condition.isMet(); round++) {
                if (wait.isOver()) {
                    // If others got room meanwhile, only this wait was in vain.
                    if (!gone && taken() == taken) takenAtVainWait = taken;
                    return false;
                }
                if (round < 4) {
                    Thread.yield();
                } else {
                    parked = true;
                    // JFR tells the class: such waits are none of the program's.
                    LockSupport.parkNanos(wait, pause);
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

    /** How long a wait has lasted, and how long since the last heartbeat. */
    static final class Wait {
        private long heartbeat = heartbeat();
        private long last = System.nanoTime();
        private long waited;
        private long silent;
        /** Whether the collector's process was found running since the last heartbeat. */
        private boolean running;

        private static long heartbeat() {
            return Session.MEMORY.getLong(Session.HEAD, Layout.HEADER_HEARTBEAT);
        }

        /** Whether there is nobody to wait for, or the wait has lasted long enough. */
        boolean isOver() {
            // Another thread that waited as long has found nothing.
            if (!mayWait()) return true;
            int state = Session.MEMORY.getInt(Session.HEAD, Layout.HEADER_COLLECTOR_STATE);
            if (state == Layout.COLLECTOR_GONE) {
                gone = true;
                return true;
            }
            long now = System.nanoTime();
            long round = Math.min(now - last, LONGEST_ROUND_NANOS);
            last = now;
            waited += round;
            silent += round;
            long seen = heartbeat();
            if (seen != heartbeat) {
                heartbeat = seen;
                silent = 0;
                running = false;
            }
            if (waited >= TIMEOUT_NANOS) return true;
            if (silent < SILENCE_TIMEOUT_NANOS || running) return false;
            // Asked once in a silence.
            running = state == Layout.COLLECTOR_NONE || isCollectorRunning();
            return !running;
        }

        /** Whether the collector's process exists and is neither stopped nor a zombie. */
        private static boolean isCollectorRunning() {
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
