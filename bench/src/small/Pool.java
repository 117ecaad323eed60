import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A root that hands small calls to two threads and waits for them, after some work of its own. */
public class Pool {
    static int mix(int x) {
        int s = x;
        for (int i = 0; i < 12; i++) s = s * 31 + (s >>> 7);
        return s;
    }

    static int step(int x) {
        int s = mix(x);
        for (int i = 0; i < 40; i++) s = s * 17 + (s >>> 5);
        return s ^ mix(s);
    }

    static int task(int from, int count) {
        int s = 0;
        for (int i = from; i < from + count; i++) s ^= step(i);
        return s;
    }

    static int own(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += step(i);
        return s;
    }

    static int run(int n) {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            int s = own(n / 4);
            for (int round = 0; round < 10; round++) {
                List<Callable<Integer>> tasks = new ArrayList<>();
                for (int part = 0; part < 4; part++) {
                    int from = part * n / 40;
                    tasks.add(() -> task(from, n / 40));
                }
                for (Future<Integer> done : pool.invokeAll(tasks)) s ^= done.get();
            }
            return s;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            pool.shutdown();
        }
    }

    public static void main(String[] args) {
        Rounds.of(args, Pool::run);
    }
}
