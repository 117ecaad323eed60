package live;

import java.util.concurrent.CyclicBarrier;
import java.util.function.IntUnaryOperator;

/**
 * `Monitors THREADS ROUNDS`: in each round a new loader, whose `loadClass` is synchronized; all
 * threads make one of its four classes at the same moment and call it inside `root`. Their methods
 * call each other with monitors held and from static initialisers.
 */
final class Monitors implements Act {
    static final String[] NAMES = {"A", "B", "C", "D"};

    @Override
    public String act(String[] words) throws Exception {
        int threads = Integer.parseInt(words[0]);
        int rounds = Integer.parseInt(words[1]);
        Loader[] loaders = new Loader[rounds];
        for (int round = 0; round < rounds; round++) {
            loaders[round] = new Loader("live.locked.");
        }
        CyclicBarrier barrier = new CyclicBarrier(threads);
        long[] sums = new long[threads];
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int index = i;
            all[i] = new Thread(
                    () -> sums[index] = rounds(barrier, loaders, index), "monitor-" + i);
            all[i].start();
        }
        long sum = 0;
        for (int i = 0; i < threads; i++) {
            all[i].join();
            sum += sums[i];
        }
        return Long.toString(sum);
    }

    private static long rounds(CyclicBarrier barrier, Loader[] loaders, int index) {
        long sum = 0;
        try {
            for (Loader loader : loaders) {
                barrier.await();
                sum += root(loader, NAMES[index % NAMES.length], index);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return sum;
    }

    static int root(Loader loader, String name, int n) throws Exception {
        Class<?> type = Class.forName("live.locked." + name, true, loader);
        return ((IntUnaryOperator) type.getDeclaredConstructor().newInstance()).applyAsInt(n);
    }
}
