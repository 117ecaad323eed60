package jfathom.runtime;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Which outermost calls of roots are recorded. The choice holds for all below the call, and for the
 * tasks that it hands off. The thread of another call stays outside until the call has ended.
 */
final class RootSampling {
    private static final long NANOS = 1_000_000_000L;

    /** With a rate: when the next call may be recorded, by System.nanoTime. */
    private static final AtomicLong NEXT = new AtomicLong();

    /**
     * One in so many; below zero, about so many a second; zero for all. Written before the
     * session opens.
     */
    private static volatile int choice;

    private RootSampling() {}

    /** A session begins. */
    static void reset(int choice) {
        NEXT.set(System.nanoTime());
        RootSampling.choice = choice;
    }

    /** The number in a text; 0 if there is none. */
    static int parse(String text) {
        try {
            return text == null ? 0 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    static boolean isOn() {
        return choice != 0;
    }

    /** Whether a call is recorded, on the thread that has these random numbers. */
    static boolean take(RandomNumbers random) {
        int choice = RootSampling.choice;
        if (choice == 0) return true;
        return choice > 0 ? takeOneIn(random, choice) : takeAtRate(random, -choice);
    }

    private static boolean takeOneIn(RandomNumbers random, int choice) {
        // The upper 32 bits as a fraction of choice: each result is as likely as the others.
        return (random.next() >>> 32) * choice >>> 32 == 0;
    }

    private static boolean takeAtRate(RandomNumbers random, int rate) {
        long now = System.nanoTime();
        long next = NEXT.get();
        if (now - next < 0) return false;
        // Exponential, so that no regular program meets it always at the same call.
        double wait = -Math.log(1 - (random.next() >>> 11) * 0x1p-53);
        return NEXT.compareAndSet(next, now + (long) (wait * NANOS / rate));
    }
}
