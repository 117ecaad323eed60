package jfathom.runtime;

/** The TSC and nanoTime at one moment. */
final class Pair {
    private static final int TRIES = 8;

    final long ticks;
    final long nanos;

    private Pair(long ticks, long nanos) {
        this.ticks = ticks;
        this.nanos = nanos;
    }

    /** The try in which the two readings of the TSC around nanoTime lie closest. */
    static Pair now() {
        long best = Long.MAX_VALUE;
        Pair pair = null;
        for (int i = 0; i < TRIES; i++) {
            long before = Tsc.read();
            long nanos = System.nanoTime();
            long after = Tsc.read();
            if (after - before < best) {
                best = after - before;
                pair = new Pair(before + (after - before) / 2, nanos);
            }
        }
        return pair;
    }

    /** Ticks per second between this moment and a later one. */
    long hz(Pair later) {
        return Math.round((double) (later.ticks - ticks) * 1e9 / (later.nanos - nanos));
    }
}
