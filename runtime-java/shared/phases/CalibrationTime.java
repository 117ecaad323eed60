package jfathom.runtime;

/**
 * The time of a part of the calibration. Beside other programs the thread does not run all the
 * time, and neither do the compilers. What counts is the time in which it ran.
 */
final class CalibrationTime {
    /** A step that takes longer counts as one of this length: meanwhile the thread did not run. */
    private static final long LONGEST_STEP_NANOS = 2_000_000;
    /** A part takes so many times its length at most. */
    private static final int PATIENCE = 16;

    private final long length;
    private final long begun = System.nanoTime();
    private long last = begun;
    private long ran;

    /** A part that takes so many nanoseconds on a quiet machine. */
    CalibrationTime(long length) {
        this.length = length;
    }

    /** Ends a step. Returns whether the part goes on. */
    boolean step() {
        long now = System.nanoTime();
        ran += Math.min(now - last, LONGEST_STEP_NANOS);
        last = now;
        return ran < length && isPatient();
    }

    /** Whether the thread did not run for a part of the time. */
    boolean isDisturbed() {
        return last - begun > ran + (ran >> 2);
    }

    boolean isPatient() {
        return last - begun < length * PATIENCE;
    }
}
