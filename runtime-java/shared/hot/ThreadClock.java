package jfathom.runtime;

/**
 * When threads run, by their CPU clocks, and their RAN records. A reading costs some hundred
 * nanoseconds. So it is made only where a thread has had no record for a while: between records
 * that follow each other at once it can hardly have waited.
 *
 * <p>{@link ThreadRecorder#ran} is the owner's clock at its last reading. What the reading itself
 * takes is excluded from the thread's time. Virtual threads have no clock of their own, and their
 * records none of a carrier.
 *
 * <p>Initialised only if a session asks for it. A Throwable for the same reason as {@link
 * RecordWriter}.
 */
@SuppressWarnings("serial")
final class ThreadClock extends Throwable {
    private static final int STEP = Layout.RECORD_BYTES;
    private static final long NANOS_MASK = Layout.RAN_FIRST - 1;
    /** One second in so many parts has the shortest gap after which a clock is read. */
    private static final long GAPS_PER_SECOND = 1_000_000_000L / Layout.RAN_GAP_NANOS;

    private ThreadClock() {}

    /**
     * The recorder's owner, which runs this code, has got a ring: its clock is read from now on.
     * False if that could not be done for now. Not for virtual threads.
     */
    static boolean watch(ThreadRecorder recorder) {
        recorder.clockGap = Math.max(SessionData.current.hz / GAPS_PER_SECOND, 1);
        recorder.recorded = Session.now();
        try {
            recorder.ran = Variant.HOST.threadCpuNanos();
            return true;
        } catch (StackOverflowError e) {
            // A later record has room for it.
            return false;
        }
    }

    /**
     * The thread had no record for a while before {@code time}, at which its next one is due. Reads
     * its clock. Returns the time of the next record.
     */
    static long look(ThreadRecorder recorder, long time) {
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
        long record = Layout.ESCAPE_RAN | Math.max(ran - recorder.ran, 0) & NANOS_MASK;
        // A record that says how long the reading took, and the next one, follow.
        boolean hasRoom =
                recorder.next + 2 * STEP < recorder.limit
                        && Session.MEMORY.epoch() == recorder.epoch;
        return hasRoom ? put(recorder, record, time, ran) : write(recorder, record, time, ran);
    }

    private static long put(ThreadRecorder recorder, long record, long time, long ran) {
        long now = Session.now();
        SlowPath.put(recorder, record);
        recorder.ran = ran;
        recorder.recorded = now;
        // Zero is no record.
        SlowPath.put(recorder, Layout.ESCAPE_ADJUST | Math.max(now - time, 1));
        return now;
    }

    /** Where the fast path has no room. If there is none at all a later record reads the clock. */
    private static long write(ThreadRecorder recorder, long record, long time, long ran) {
        if (!SlowPath.writeUntimed(recorder, record)) return time;
        recorder.ran = ran;
        long now = Session.now();
        recorder.recorded = now;
        // A wait for room is in it.
        recorder.exclude(Math.max(now - time, 1));
        return now;
    }
}
