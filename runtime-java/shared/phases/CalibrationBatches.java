package jfathom.runtime;

/** The measured batches of one kind of call, in nanoseconds per call. */
final class CalibrationBatches {
    /** A batch that takes so many times the shortest one was disturbed. */
    private static final double DISTURBED = 2;
    /** Minima that differ by less agree: this share, and so many nanoseconds. */
    private static final double AGREEING_SHARE = 0.1;
    private static final double AGREEING_NANOS = 1;

    private final double[] reference;
    private final double[] inner;
    private final double[] all;
    private int count;

    CalibrationBatches(int most) {
        reference = new double[most];
        inner = new double[most];
        all = new double[most];
    }

    void clear() {
        count = 0;
    }

    /** A batch without probes, and one with probes, which has so much time between clock reads. */
    void add(double reference, double all, double inner) {
        this.reference[count] = reference;
        this.all[count] = all;
        this.inner[count] = inner;
        count++;
    }

    /** Whether the shortest batches of the first half and of the second take the same time. */
    boolean agree() {
        double first = least(all, 0, count / 2);
        double second = least(all, count / 2, count);
        return Math.abs(first - second) <= AGREEING_SHARE * first + AGREEING_NANOS;
    }

    /**
     * The fields of the info entry: undisturbed batches, at least one. References are held against
     * those of batches with undisturbed probes: the shortest of all may be from before these were
     * compiled.
     */
    String fields() {
        double shortest = DISTURBED * least(all, 0, count);
        double shortestReference = Double.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            if (all[i] <= shortest) shortestReference = Math.min(shortestReference, reference[i]);
        }
        shortestReference *= DISTURBED;
        StringBuilder references = new StringBuilder(count * 8);
        StringBuilder inners = new StringBuilder(count * 8);
        StringBuilder outers = new StringBuilder(count * 8);
        for (int i = 0; i < count; i++) {
            if (reference[i] > shortestReference || all[i] > shortest) continue;
            append(references, reference[i]);
            append(inners, inner[i]);
            append(outers, all[i] - inner[i] - reference[i]);
        }
        return " reference=" + references + " inner=" + inners + " outer=" + outers;
    }

    private static double least(double[] nanos, int from, int to) {
        double least = Double.MAX_VALUE;
        for (int i = from; i < to; i++) least = Math.min(least, nanos[i]);
        return least;
    }

    private static void append(StringBuilder text, double nanos) {
        if (text.length() > 0) text.append(',');
        text.append(Double.isNaN(nanos) ? nanos : Math.round(nanos * 100) / 100.0);
    }
}
