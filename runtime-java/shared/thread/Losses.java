package jfathom.runtime;

/** Counts lost records by their reason. */
final class Losses {
    /** Losses are added to the header in portions, so that threads do not fight for the word. */
    private static final int PORTION = 64;

    private Losses() {}

    /** Counts a lost record. */
    static void count(ThreadRecorder recorder) {
        LossCounts losses = recorder.losses;
        int counter = counter(recorder);
        if (losses.counter != counter) losses.flush();
        losses.counter = counter;
        if (++losses.lost >= PORTION) losses.flush();
    }

    private static int counter(ThreadRecorder recorder) {
        if (FlowControl.gone) return Layout.HEADER_LOST_RECORDS;
        return recorder.ring == null ? Layout.HEADER_LOST_RINGLESS : Layout.HEADER_LOST_WAITING;
    }
}
