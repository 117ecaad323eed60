package jfathom.runtime;

/**
 * Writes single words into a thread's ring: called by the thread itself, or for a dead one under
 * {@link ThreadTable#LOCK}.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class RingWriter extends Throwable {
    private RingWriter() {}

    /** Whether there is room for so many records, after a wait that is excluded from all times. */
    static boolean makeRoom(ThreadRecorder recorder, int records) {
        if (FlowControl.hasRoom(recorder, records)) return true;
        long since = Session.now();
        boolean room = FlowControl.awaitRoom(recorder);
        long waited = Math.max(Session.now() - since, 0);
        // Pauses of all threads during the wait are part of it.
        recorder.exclude(recorder.excluded + waited, Session.paused());
        return room;
    }

    /** Writes one record, after a wait if need be. */
    static boolean push(ThreadRecorder recorder, long record) {
        if (!FlowControl.hasRoom(recorder, 1) && !FlowControl.awaitRoom(recorder)) return false;
        put(recorder, record);
        return true;
    }

    /** Puts a record into a slot that is free, and steps to the next one. */
    static void put(ThreadRecorder recorder, long record) {
        long place = recorder.next;
        try {
            Session.MEMORY.put(recorder.store, place, record);
            recorder.next = place + Layout.RECORD_BYTES;
        } catch (Throwable e) {
            throw RingWriter.<RuntimeException>finishStep(recorder, place, e);
        }
    }

    /**
     * Writes a record if there is room, and never waits: under the lock, or for a thread's first
     * and last records.
     */
    static boolean putNow(ThreadRecorder recorder, long record) {
        if (!FlowControl.hasRoom(recorder, 1)) return false;
        put(recorder, record);
        return true;
    }

    /**
     * Something was thrown between the store of a record and the step to the next place. If the
     * record is in the ring, or is consumed already, the step is done here. Throws {@code e}.
     */
    static <T extends Throwable> T finishStep(ThreadRecorder recorder, long place, Throwable e)
            throws T {
        if (isStored(recorder, place)) recorder.next = place + Layout.RECORD_BYTES;
        return Errors.unchecked(e);
    }

    /** Whether the record to be put at {@code place} is in the ring, or consumed already. */
    static boolean isStored(ThreadRecorder recorder, long place) {
        if (recorder.next != place) return true;
        return recorder.ring != null
                && (Session.MEMORY.peek(recorder.store, place) != 0
                        || FlowControl.consumed(recorder.ring) > recorder.position());
    }
}
