package jfathom.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many threads are inside, while roots are recorded by sample: the probes of a thread that is
 * not do nothing but read {@link Gate#inside}, as long as no other is.
 *
 * <p>Written under this class's lock. A thread adds itself before its first record, or is added
 * before it starts. So it never reads a number from before that: what it reads may be too large,
 * which costs time, but not too small.
 */
final class Inside {
    /** No session. What threads add late leaves the number below zero. */
    private static final int CLOSED = Integer.MIN_VALUE / 2;

    /** The threads inside, of a session whose roots are sampled. */
    private static int threads;

    /**
     * How often a virtual thread has come inside. What is known of threads outside holds until one
     * does.
     */
    private static final AtomicInteger VIRTUAL = new AtomicInteger();

    private Inside() {}

    /** A session begins. Without sampling threads are not counted. */
    static synchronized void open() {
        threads = 0;
        Gate.inside = RootSampling.isOn() ? Gate.NOBODY : Gate.MANY;
    }

    /** The session ends. */
    static synchronized void close() {
        threads = CLOSED;
        Gate.inside = Gate.NOBODY;
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
        return RootSampling.isOn() && threads == 1;
    }

    private static synchronized void change(int difference) {
        threads += difference;
        Gate.inside = threads > 0 ? Gate.FEW : Gate.NOBODY;
    }
}
