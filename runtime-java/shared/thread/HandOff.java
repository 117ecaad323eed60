package jfathom.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A hand-off of a task to another thread, as one long: the root inside which it is done, and above
 * that the hand-off's number, or zero. A number is in the record of the hand-off and behind the one
 * with which the task begins. It comes again after so many hand-offs that nobody confuses the two.
 */
final class HandOff {
    private static final int NUMBER_SHIFT = 32;
    private static final int NUMBER_MASK = (1 << Layout.ID_BITS) - 1;
    private static final AtomicInteger LAST = new AtomicInteger();

    private HandOff() {}

    /** By the thread of {@code recorder}, which is inside. Its probes are quiet. */
    static long by(ThreadRecorder recorder) {
        boolean numbered = Session.MEMORY.getInt(Session.HEAD, Layout.HEADER_NUMBERED) != 0;
        return of(recorder.activity.root, numbered ? next() : 0);
    }

    /** Of a root, with a number. */
    static long of(int root, int number) {
        return (long) number << NUMBER_SHIFT | root;
    }

    private static int next() {
        int number = LAST.incrementAndGet() & NUMBER_MASK;
        return number != 0 ? number : LAST.incrementAndGet() & NUMBER_MASK;
    }

    static int root(long handOff) {
        return (int) handOff;
    }

    static int number(long handOff) {
        return (int) (handOff >>> NUMBER_SHIFT);
    }

    /** The hand-off is done. */
    static void record(ThreadRecorder recorder, long handOff) {
        write(recorder, Layout.ESCAPE_HAND_OFF, number(handOff));
    }

    /** The thread has just opened the task with the hand-off of this number. */
    static void recordTask(ThreadRecorder recorder, int number) {
        write(recorder, Layout.ESCAPE_TASK_NUMBER, number);
    }

    private static void write(ThreadRecorder recorder, long escape, int number) {
        if (number == 0) return;
        long head = escape | (long) number << Layout.ESCAPE_ID_SHIFT;
        SlowPath.write(recorder, head, Session.now(), Layout.COARSE_SHIFT);
    }
}
