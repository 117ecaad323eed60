package jfathom.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many threads are inside, while roots are recorded by sample: the probes of a thread that is
 * not do nothing but read {@link Gate#inside}, as long as no other is.
 *
 * <p>A thread adds itself before its first record, or is added before it starts. So it never reads
 * a number from before that: what it reads may be too large, which costs time, but not too small.
 */
final class Inside {
    /** No session. What threads add late leaves it below zero. */
    private static final int CLOSED = Integer.MIN_VALUE / 2;

    /**
     * How often a virtual thread has come inside. What is known of threads outside holds until one
     * does.
     */
    private static final AtomicInteger VIRTUAL = new AtomicInteger();

    private Inside() {}

    /** A session begins. Without sampling threads are not counted, and the number is never 0. */
    static synchronized void open() {
        Gate.inside = RootSampling.isOn() ? 0 : 1;
    }

    /** The session ends. */
    static synchronized void close() {
        Gate.inside = CLOSED;
    }

    /** A platform thread comes inside (1) or goes outside (−1), or one virtual is known (1). */
    static void add(int threads) {
        if (RootSampling.isOn()) change(threads);
    }

    /** A virtual thread comes inside: nobody knows any more that it is outside. */
    static void comeVirtual() {
        VIRTUAL.incrementAndGet();
    }

    /** Changes whenever a virtual thread comes inside. */
    static int virtualCame() {
        return VIRTUAL.get();
    }

    /** Whether threads are counted, and the current one, which is inside, is the only one. */
    static synchronized boolean isOne() {
        return RootSampling.isOn() && Gate.inside == 1;
    }

    private static synchronized void change(int threads) {
        Gate.inside += threads;
    }
}
