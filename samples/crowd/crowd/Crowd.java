package crowd;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * A root that hands a task to each of many threads, all alive at once. Arguments: how many threads,
 * and steps of each.
 */
public final class Crowd {
    private Crowd() {}

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int steps = Integer.parseInt(args[1]);
        CyclicBarrier barrier = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<Long>> results = new ArrayList<>();
        for (int i = 0; i < threads; i++) results.add(pool.submit(() -> work(barrier, steps)));
        long sum = 0;
        for (Future<Long> result : results) sum += result.get();
        pool.shutdown();
        System.out.println(sum);
    }

    static long work(CyclicBarrier barrier, int steps) throws Exception {
        barrier.await();
        long sum = 0;
        for (int i = 0; i < steps; i++) sum += step(i);
        barrier.await();
        return sum;
    }

    static long step(int i) {
        return i & 1;
    }
}
