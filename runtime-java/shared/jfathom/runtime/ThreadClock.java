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
    /** A reading older than so many gaps is of a time before the thread's first record. */
    private static final long STALE_GAPS = 1_000;

    /** Whether there is a way to read the clock; found out once in a JVM. */
    private static Boolean isThere;

    private ThreadClock() {}

    /**
     * Whether the clock can be read. The first call links the native method, which runs Java code.
     * By the thread that opens a session.
     */
    static boolean isThere() {
        if (isThere == null) {
            try {
                isThere = TscChoice.canUseLibrary() && Variant.HOST.threadCpuNanos() > 0;
            } catch (UnsatisfiedLinkError e) {
                // As without a library.
                isThere = false;
            }
        }
        return isThere;
    }

    /** The recorder's owner gets a ring, and has no record in it but the first. */
    static void watch(ThreadRecorder recorder) {
        boolean isOn = Host.opening.threadClock && !recorder.virtual;
        recorder.clockGap = isOn ? gap() : 0;
        boolean isFresh =
                recorder.ran != 0 && Session.now() - recorder.recorded < STALE_GAPS * gap();
        if (isOn && isFresh) SlowPath.push(recorder, Layout.ESCAPE_RAN | Layout.RAN_FIRST);
    }

    /** Ticks without a record after which the clock is read. */
    static long gap() {
        return Math.max(Host.opening.hz / GAPS_PER_SECOND, 1);
    }

    /**
     * The thread had no record for a while before {@code time}, at which its next one is due. Reads
     * its clock, where the fast path has room for it; else a later record does. Returns the time of
     * the next record.
     */
    static long look(ThreadRecorder recorder, long time) {
        boolean isFirst = recorder.ring == null;
        // A record that says how long the reading took, and the next one, follow.
        boolean hasRoom =
                recorder.next + 2 * STEP < recorder.limit
                        && Session.MEMORY.epoch() == recorder.epoch
                        && recorder.activity == recorder.own;
        if (recorder.busy || !isFirst && !hasRoom) return time;
        long ran;
        try {
            ran = Variant.HOST.threadCpuNanos();
        } catch (StackOverflowError e) {
            // The program has room for the call that is recorded, and not for this one.
            return time;
        }
        if (isFirst) {
            recorder.ran = ran;
            recorder.recorded = time;
            return time;
        }
        long nanos = Math.max(ran - recorder.ran, 0);
        long now = Session.now();
        SlowPath.put(recorder, Layout.ESCAPE_RAN | nanos & NANOS_MASK);
        recorder.ran = ran;
        recorder.recorded = now;
        // Zero is no record.
        SlowPath.put(recorder, Layout.ESCAPE_ADJUST | Math.max(now - time, 1));
        return now;
    }
}
