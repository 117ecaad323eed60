package jfathom.runtime;

/**
 * The COUNTED records: how often a thread has called which counted methods since the record before.
 * Two methods with few calls share a record.
 *
 * <p>A counter is set to zero after its record is in the ring, with the number of the record beside
 * the zero. So if the JVM is killed in between, the consumer knows that the calls were recorded.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}: none of it belongs into the program's
 * compiled code.
 */
@SuppressWarnings("serial")
final class CountedCalls extends Throwable {
    private static final int STEP = Layout.RECORD_BYTES;
    private static final long CALLS = (1L << Layout.COUNTER_TAG_SHIFT) - 1;
    private static final long TAG = (1L << 64 - Layout.COUNTER_TAG_SHIFT) - 1;
    /** Most calls in a record of one method, and in one of two. */
    private static final long MOST = (1L << Layout.ESCAPE_ID_SHIFT) - 1;

    private static final long FEW = (1L << Layout.COUNTED_PAIR_BITS) - 1;
    private static final int ID_MASK = (1 << Layout.ID_BITS) - 1;

    private CountedCalls() {}

    /**
     * Writes the records where the fast path can: some may be left.
     */
    static void write(ThreadRecorder recorder) {
        int ids = recorder.nonZeroIds;
        // A thread that takes over a mode epoch says so first.
        if (recorder.next + (long) ids * STEP >= recorder.limit
                || Session.MEMORY.epoch() != recorder.epoch) {
            return;
        }
        for (int at = 0; at < ids; ) {
            long record = record(recorder, at);
            // Too many calls for one record.
            if (record < 0) return;
            if (record != 0) put(recorder, record, 0);
            at += isPair(record) ? 2 : 1;
        }
        recorder.nonZeroIds = 0;
    }

    /**
     * Writes all records, after waits if need be. False if it could not: then the calls stay in the
     * counters.
     */
    static boolean writeAll(ThreadRecorder recorder) {
        while (recorder.nonZeroIds > 0) {
            if (!SlowPath.makeRoom(recorder, 1)) return false;
            // The last one first, so that the others stay where they are.
            int last = recorder.nonZeroIds - 1;
            long record = record(recorder, last);
            if (record > 0) put(recorder, record, 0);
            if (record >= 0) recorder.nonZeroIds = last;
            else putMost(recorder, recorder.nonZero[last]);
        }
        return true;
    }

    /** The same without a wait. */
    static void writeNow(ThreadRecorder recorder) {
        while (recorder.nonZeroIds > 0 && FlowControl.hasRoom(recorder, 1)) {
            int last = recorder.nonZeroIds - 1;
            long record = record(recorder, last);
            if (record > 0) put(recorder, record, 0);
            if (record >= 0) recorder.nonZeroIds = last;
            else putMost(recorder, recorder.nonZero[last]);
        }
    }

    /**
     * The record of the id at {@code at} in the list, or of it and the next one. 0 without calls,
     * below 0 if they are too many for one record.
     */
    private static long record(ThreadRecorder recorder, int at) {
        int id = recorder.nonZero[at];
        long calls = calls(recorder, id);
        if (calls == 0) return 0;
        if (calls > MOST) return -1;
        long head = (long) id << Layout.ESCAPE_ID_SHIFT;
        if (calls <= FEW && at + 1 < recorder.nonZeroIds) {
            int other = recorder.nonZero[at + 1];
            long otherCalls = other == id ? 0 : calls(recorder, other);
            if (otherCalls != 0 && otherCalls <= FEW) {
                return Layout.ESCAPE_COUNTED_PAIR
                        | head
                        | calls << Layout.COUNTED_PAIR_SHIFT
                        | (long) other << Layout.COUNTED_PAIR_BITS
                        | otherCalls;
            }
        }
        return Layout.ESCAPE_COUNTED | head | calls;
    }

    private static boolean isPair(long record) {
        return record >>> Layout.ESCAPE_SHIFT
                == Layout.ESCAPE_COUNTED_PAIR >>> Layout.ESCAPE_SHIFT;
    }

    private static long calls(ThreadRecorder recorder, int id) {
        return Session.MEMORY.counter(Counters.store(recorder, id), Counters.place(recorder, id))
                & CALLS;
    }

    /**
     * Writes a record into a slot that is free, and sets the counters to zero; that of its first
     * method to {@code left}.
     */
    private static void put(ThreadRecorder recorder, long record, long left) {
        long place = recorder.next;
        long number = recorder.countedRecords + 1 & TAG;
        try {
            Session.MEMORY.put(recorder, place, record);
            recorder.next = place + STEP;
            recorder.countedRecords = number;
            clear(recorder, record, number, left);
        } catch (Throwable e) {
            // As in RecordWriter.write. All of this can be done twice.
            if (SlowPath.isStored(recorder, place)) {
                recorder.next = place + STEP;
                recorder.countedRecords = number;
                clear(recorder, record, number, left);
            }
            throw SlowPath.<RuntimeException>unchecked(e);
        }
    }

    private static void clear(ThreadRecorder recorder, long record, long number, long left) {
        long tag = number << Layout.COUNTER_TAG_SHIFT;
        set(recorder, (int) (record >>> Layout.ESCAPE_ID_SHIFT) & ID_MASK, tag | left);
        if (isPair(record)) {
            set(recorder, (int) (record >>> Layout.COUNTED_PAIR_BITS) & ID_MASK, tag);
        }
    }

    private static void set(ThreadRecorder recorder, int id, long counter) {
        Session.MEMORY.setCounter(
                Counters.store(recorder, id), Counters.place(recorder, id), counter);
    }

    /** Writes a record of as many calls as it can hold, and leaves the others in the counter. */
    private static void putMost(ThreadRecorder recorder, int id) {
        long left = calls(recorder, id) - MOST;
        put(recorder, Layout.ESCAPE_COUNTED | (long) id << Layout.ESCAPE_ID_SHIFT | MOST, left);
    }
}
