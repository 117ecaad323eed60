package samples;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many threads with known numbers of calls: plain ones, short-lived ones, misleading ones, and one
 * that dies.
 */
public final class Threads {
    private static final AtomicLong SUM = new AtomicLong();

    public static void main(String[] args) throws InterruptedException { // calls(1)
        CountDownLatch start = new CountDownLatch(1);
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = i % 2 == 0 ? new Liar(start) : new Thread(() -> loop(start));
            threads[i].start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < 300; i++) {
            Thread brief = new Thread(Threads::brief, "brief-" + i);
            brief.start();
            brief.join();
        }
        Thread dies = new Thread(Threads::dies, "dies");
        dies.setUncaughtExceptionHandler((thread, e) -> SUM.addAndGet(1_000_000));
        dies.start();
        dies.join();
        System.out.println("threads " + SUM);
    }

    static void loop(CountDownLatch start) { // calls(8)
        try {
            start.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        for (int i = 0; i < 1000; i++) {
            step(i);
        }
    }

    static void step(int i) { // calls(8000)
        SUM.addAndGet(leaf(i));
    }

    static int leaf(int i) { // calls(8000)
        return i & 1;
    }

    static void brief() { // calls(300)
        SUM.incrementAndGet();
    }

    static void dies() { // calls(1) throws(1)
        throw new IllegalStateException("as planned");
    }

    /** Says that it is thread 1, as all its siblings do. */
    static final class Liar extends Thread {
        private final CountDownLatch start;

        Liar(CountDownLatch start) {
            this.start = start;
        }

        @Override
        @SuppressWarnings("deprecation")
        public long getId() {
            return 1;
        }

        @Override
        public int hashCode() { // calls(0)
            throw new AssertionError("a thread is known by its identity");
        }

        @Override
        public boolean equals(Object other) { // calls(0)
            throw new AssertionError("a thread is known by its identity");
        }

        @Override
        public void run() { // calls(4)
            loop(start);
        }
    }

    private Threads() {}
}
