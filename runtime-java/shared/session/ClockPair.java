package jfathom.runtime;

/** The TSC and nanoTime at one moment. */
final class ClockPair {
    private static final int TRIES = 8;

    /**
     * At the start of the JVM's first session, if its clock is the TSC; else null. Written by
     * {@link SessionOpening#chooseClock}.
     */
    static ClockPair first;

    final long ticks;
    final long nanos;

    private ClockPair(long ticks, long nanos) {
        this.ticks = ticks;
        this.nanos = nanos;
    }

    /** The try in which the two readings of the TSC around nanoTime are closest. */
    static ClockPair now() {
        long best = Long.MAX_VALUE;
        ClockPair pair = null;
        for (int i = 0; i < TRIES; i++) {
            long before = Tsc.read();
            long nanos = System.nanoTime();
            long after = Tsc.read();
            if (after - before < best) {
                best = after - before;
                pair = new ClockPair(before + (after - before) / 2, nanos);
            }
        }
        return pair;
    }

    /** Ticks per second between this moment and a later one. */
    long hz(ClockPair later) {
        return Math.round((double) (later.ticks - ticks) * 1e9 / (later.nanos - nanos));
    }
}
