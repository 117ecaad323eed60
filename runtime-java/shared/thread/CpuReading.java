package jfathom.runtime;

/**
 * What a thread recorder remembers of its owner's CPU clock. Only the owner reads and writes it,
 * and only if its {@link ThreadRecorder#clockGap} is not 0.
 */
final class CpuReading {
    /** One second in so many parts has the shortest gap after which a clock is read. */
    private static final long GAPS_PER_SECOND = 1_000_000_000L / Layout.RAN_GAP_NANOS;

    /** Time of the last record, or of an earlier one. */
    long recorded;
    /** The owner's CPU clock in ns when it was last read; 0 before. */
    long ran;

    /** Ticks without a record after which a clock is read. */
    static long gap() {
        return Math.max(SessionData.current.hz / GAPS_PER_SECOND, 1);
    }

    /**
     * The owner, which runs this code, has got a ring: its clock is read from now on. False if that
     * could not be done for now. Not for virtual threads.
     */
    boolean begin() {
        recorded = Session.now();
        try {
            ran = Variant.HOST.threadCpuNanos();
            return true;
        } catch (StackOverflowError e) {
            // A later record has room for it.
            return false;
        }
    }
}
