package jfathom.runtime;

/**
 * When threads run, by their CPU clocks, and their RAN records. A reading costs some hundred
 * nanoseconds. So it is made only where a thread has had no record for a while: between records
 * that follow each other at once it can hardly have waited.
 *
 * <p>What the reading itself takes is excluded from the thread's time. Virtual threads have no
 * clock of their own, and their records none of a carrier.
 *
 * <p>Initialised only if a session asks for it. A Throwable for the same reason as {@link
 * RecordWriter}.
 */
@SuppressWarnings("serial")
final class ThreadClock extends Throwable {
    private static final int STEP = Layout.RECORD_BYTES;
    private static final long NANOS_MASK = Layout.RAN_FIRST - 1;

    private ThreadClock() {}

    /**
     * Has the thread's clock read if it had no record for a while. Returns the record's time. Only
     * with a {@code clockGap}.
     */
    static long due(ThreadRecorder recorder, long time) {
        if (time - recorder.cpu.recorded >= recorder.clockGap) return look(recorder, time);
        recorder.cpu.recorded = time;
        return time;
    }

    /**
     * The thread had no record for a while before {@code time}, at which its next one is due. Reads
     * its clock. Returns the time of the next record.
     */
    private static long look(ThreadRecorder recorder, long time) {
        boolean canRead =
                !recorder.busy && recorder.ring != null && recorder.activity == recorder.own;
        if (!canRead) return time;
        long ran;
        try {
            ran = Variant.HOST.threadCpuNanos();
        } catch (StackOverflowError e) {
            // The program has room for the call that is recorded, and not for this one.
            return time;
        }
        long record = Layout.ESCAPE_RAN | Math.max(ran - recorder.cpu.ran, 0) & NANOS_MASK;
        // A record that says how long the reading took, and the next one, follow.
        boolean hasRoom = recorder.next + 2 * STEP < recorder.limit;
        return hasRoom ? put(recorder, record, time, ran) : write(recorder, record, time, ran);
    }

    private static long put(ThreadRecorder recorder, long record, long time, long ran) {
        long now = Session.now();
        RingWriter.put(recorder, record);
        recorder.cpu.ran = ran;
        recorder.cpu.recorded = now;
        // Zero is no record.
        RingWriter.put(recorder, Layout.ESCAPE_ADJUST | Math.max(now - time, 1));
        return now;
    }

    /** Where the fast path has no room. If there is none at all a later record reads the clock. */
    private static long write(ThreadRecorder recorder, long record, long time, long ran) {
        if (!SlowPath.writeUntimed(recorder, record)) return time;
        recorder.cpu.ran = ran;
        long now = Session.now();
        recorder.cpu.recorded = now;
        // A wait for room is in it.
        recorder.exclude(Math.max(now - time, 1));
        return now;
    }
}
