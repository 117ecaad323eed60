package live;

import java.util.concurrent.CyclicBarrier;

/**
 * `Chains THREADS LINKS` lets many threads come to the first call of each of the methods of the
 * class `Links` (made by the test; `int mN(int)` calls `int nN(int)` twice) at the same moment,
 * from inside `root`, of which there is one per thread.
 */
final class Chains implements Act {
    @Override
    public String act(String[] words) throws Exception {
        int threads = Integer.parseInt(words[0]);
        CyclicBarrier barrier = new CyclicBarrier(threads);
        long[] sums = new long[threads];
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int index = i;
            all[i] = new Thread(() -> sums[index] = root(barrier), "chain-" + i);
            all[i].start();
        }
        long sum = 0;
        for (int i = 0; i < threads; i++) {
            all[i].join();
            sum += sums[i];
        }
        return Long.toString(sum);
    }

    static long root(CyclicBarrier barrier) {
        try {
            return Links.all(barrier);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
