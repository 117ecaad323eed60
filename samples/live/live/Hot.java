package live;

import java.util.concurrent.CountDownLatch;

/**
 * Calls `leaf` as fast as it can. `Hot spin` calls `batch`, which calls it 1,000 times, until `Hot
 * stop`, and answers how often. `Hot hold` is inside one call of `leaf` until then, and `Hot
 * inside` answers when it is. `Hot N` calls it N times from `after`.
 */
final class Hot implements Act {
    private static final CountDownLatch INSIDE = new CountDownLatch(1);
    private static final CountDownLatch STOP = new CountDownLatch(1);
    private static volatile boolean stopped;
    private static volatile long sink;

    @Override
    public String act(String[] words) throws InterruptedException {
        switch (words[0]) {
            case "inside":
                INSIDE.await();
                return "inside";
            case "stop":
                stopped = true;
                STOP.countDown();
                return "stopped";
            default:
                return root(words[0]);
        }
    }

    static String root(String what) throws InterruptedException {
        switch (what) {
            case "spin":
                return Long.toString(spin());
            case "hold":
                return "held " + leaf(-1);
            default:
                return after(Integer.parseInt(what));
        }
    }

    static long spin() throws InterruptedException {
        long batches = 0;
        for (; !stopped; batches++) sink = batch(batches);
        return batches;
    }

    static long batch(long seed) throws InterruptedException {
        long sum = seed;
        for (int i = 0; i < 1000; i++) sum += leaf(sum & 0xff | i);
        return sum;
    }

    static String after(int n) throws InterruptedException {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += leaf(i);
        return "after " + sum;
    }

    static long leaf(long n) throws InterruptedException {
        if (n < 0) {
            INSIDE.countDown();
            STOP.await();
        }
        return n * 31 + 7;
    }
}
