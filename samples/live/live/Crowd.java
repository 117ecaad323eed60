package live;

import java.util.concurrent.CountDownLatch;

/**
 * `Crowd THREADS`: as many threads, all alive at the same time, each once in `root`, which calls
 * `step` ten times.
 */
final class Crowd implements Act {
    @Override
    public String act(String[] words) throws InterruptedException {
        Thread[] threads = new Thread[Integer.parseInt(words[0])];
        CountDownLatch ready = new CountDownLatch(threads.length);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(threads.length);
        CountDownLatch leave = new CountDownLatch(1);
        long[] sums = new long[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int index = i;
            threads[i] = new Thread(null, () -> {
                ready.countDown();
                await(go);
                sums[index] = root(index);
                done.countDown();
                await(leave);
            }, "crowd-" + i, 256 << 10);
            threads[i].start();
        }
        ready.await();
        go.countDown();
        done.await();
        leave.countDown();
        long sum = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            sum += sums[i];
        }
        return Long.toString(sum);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static int root(int n) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += step(n + i);
        }
        return sum;
    }

    static int step(int n) {
        return n ^ 5;
    }
}
