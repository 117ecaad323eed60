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

    /** By a thread inside this root, whose probes are quiet. */
    static long by(int root) {
        boolean numbered = Session.MEMORY.getInt(Session.HEAD, Layout.HEADER_NUMBERED) != 0;
        return of(root, numbered ? next() : 0);
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

    /** Counts a hand-off that could not be followed, and that is counted as a hand-off. */
    static void countUnfollowed() {
        Session.count(Layout.HEADER_UNFOLLOWED_HAND_OFFS, 1);
    }
}
