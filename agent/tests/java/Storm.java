import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/** First calls on many threads that hold monitors, and in initialisers that wait for another. */
class Storm {
    private static final Object[] LOCKS = {new Object(), new Object(), new Object()};

    /** Each thread runs the root in several plugins of its own, and once per initialiser. */
    static long storm(int threads, int plugins) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(threads);
        AtomicLong sum = new AtomicLong();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            Thread thread = new Thread(null, () -> {
                ready.countDown();
                try {
                    ready.await();
                    sum.addAndGet(root(number, plugins));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }, "storm " + i, 256 * 1024);
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) thread.join();
        return sum.get();
    }

    static long root(int number, int plugins) throws Exception {
        long sum = 0;
        for (int i = 0; i < plugins; i++) {
            IntUnaryOperator plugin = Desk.plug();
            synchronized (LOCKS[(number + i) % LOCKS.length]) {
                sum += held(plugin, i);
            }
        }
        synchronized (LOCKS[number % LOCKS.length]) {
            sum += number % 2 == 0 ? One.first() : Two.second();
        }
        return sum;
    }

    static int held(IntUnaryOperator plugin, int n) {
        return plugin.applyAsInt(n);
    }

    static class One {
        static final int VALUE = made(1);

        static int first() {
            return VALUE + helper();
        }

        private static int helper() {
            return Three.third();
        }
    }

    static class Two {
        static final int VALUE = made(2);

        static int second() {
            return VALUE + Three.third();
        }
    }

    static class Three {
        static final int VALUE = made(3);

        static int third() {
            return VALUE + last();
        }

        private static int last() {
            return 1;
        }
    }

    static int made(int n) {
        return deeper(n) + 1;
    }

    static int deeper(int n) {
        return n * 2;
    }
}
