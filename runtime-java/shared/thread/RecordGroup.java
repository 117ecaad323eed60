package jfathom.runtime;

/**
 * A record with the escape records that belong before it. One that finds no room is left out, so
 * that those before and after it still fit together.
 *
 * <p>A call without an entry record is left out with all that it calls. If the entry was recorded,
 * the exit is owed: it goes, with the time of its own, before the next record.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class RecordGroup extends Throwable {
    private static final long TIME_MASK = (1L << Layout.TIME_BITS) - 1;
    private static final long HIGH_MASK = (1L << 64 - Layout.TIME_BITS) - 1;
    private static final long PAYLOAD_MASK = (1L << Layout.ESCAPE_SHIFT) - 1;
    /** Most records written at once: a record, an owed one, and the escape records before them. */
    private static final int RECORDS_AT_ONCE = 8;

    private RecordGroup() {}

    /** Writes a record, owes it, or leaves it out. False if it is lost. */
    static boolean record(ThreadRecorder recorder, long head, long time, int shift) {
        int opened = opened(head);
        if (recorder.activity.unrecorded > 0) {
            recorder.activity.unrecorded += opened;
            return false;
        }
        if (write(recorder, head, time, shift)) return true;
        // There may be room for fewer records: the fast path must not write the next one there.
        recorder.open = recorder.next;
        // A virtual thread may go on with a carrier that has a ring.
        if (recorder.ring == null && recorder.activity == recorder.own) return false;
        if (opened > 0) {
            recorder.activity.unrecorded = 1;
            return false;
        }
        if (isNumber(head)) return false;
        return recorder.owe(head, time, shift);
    }

    /** Whether the record only says a hand-off's number. No exit is to be lost for it. */
    private static boolean isNumber(long head) {
        long escape = head >>> Layout.ESCAPE_SHIFT << Layout.ESCAPE_SHIFT;
        return escape == Layout.ESCAPE_HAND_OFF || escape == Layout.ESCAPE_TASK_NUMBER;
    }

    /** By how much the record raises the number of open calls and tasks. */
    private static int opened(long head) {
        int type = (int) (head >>> Layout.TYPE_SHIFT);
        if (type == Layout.TYPE_ENTRY) return 1;
        if (type == Layout.TYPE_RETURN || type == Layout.TYPE_THROW) return -1;
        long escape = head >>> Layout.ESCAPE_SHIFT << Layout.ESCAPE_SHIFT;
        return escape == Layout.ESCAPE_TASK_OPEN ? 1 : escape == Layout.ESCAPE_TASK_CLOSE ? -1 : 0;
    }

    /**
     * Writes a record after the escape records that belong before it, after a wait if need be.
     * False if it could not.
     */
    private static boolean write(ThreadRecorder recorder, long head, long time, int shift) {
        long now = time;
        if (recorder.ring == null) return false;
        ExcludedTime.addPauses(recorder);
        long excluded = recorder.excluded;
        if (recorder.switched != 0 && !SwitchRecord.write(recorder, time)) return false;
        if (!CountedCalls.writeAll(recorder)) return false;
        if (recorder.heapPlace != 0 && !Allocated.writeAll(recorder)) return false;
        // A time that is read after a wait: see ESCAPE_ADJUST.
        if (recorder.excluded != excluded) now = time = Session.now();
        if (!FlowControl.hasRoom(recorder, RECORDS_AT_ONCE)) {
            boolean room = FlowControl.awaitRoom(recorder);
            now = Session.now();
            // Pauses of all threads during the wait are part of it.
            recorder.exclude(recorder.excluded + Math.max(now - time, 0), Session.paused());
            if (!room) return false;
        }
        if (recorder.excluded != 0) {
            long ticks = Math.min(recorder.excluded, PAYLOAD_MASK);
            if (!RingWriter.push(recorder, Layout.ESCAPE_ADJUST | ticks)) return false;
            recorder.exclude(0, recorder.paused);
        }
        Owed owed = recorder.activity.owed;
        if (owed != null) {
            if (!pushTimed(recorder, owed.head, owed.time, owed.shift)) return false;
            recorder.activity.owed = null;
            if (owed == recorder.debt.spare) recorder.debt.lent = false;
        }
        long caught = recorder.caughtClass;
        if (caught != 0 && !RingWriter.push(recorder, caught)) return false;
        return pushTimed(recorder, head, now, shift);
    }

    private static boolean pushTimed(ThreadRecorder recorder, long head, long time, int shift) {
        long high = time >>> Layout.TIME_BITS;
        if (high != recorder.high) {
            long record = Layout.ESCAPE_TIME_HIGH | high & HIGH_MASK;
            if (!RingWriter.push(recorder, record)) return false;
            recorder.high = high;
        }
        return RingWriter.push(recorder, head | (time & TIME_MASK) >>> shift);
    }
}
