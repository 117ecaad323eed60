import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jfathom.runtime.Probe;

/**
 * Calls of a root, with the probes that the rewriter would insert: id 1 is the root, id 2 a root
 * within it, 3 an inner method that it calls twice, 4 one in a task that it hands off. Each third
 * call ends by an exception.
 */
public class Sampled {
    static void inner(int id) {
        int token = Probe.innerEntry(id);
        Probe.methodExit(token);
    }

    static void nested() {
        Probe.rootEntry(2);
        inner(3);
        Probe.rootExit(2);
    }

    static void root(int call, ExecutorService pool, List<Future<?>> tasks) {
        Probe.rootEntry(1);
        try {
            nested();
            inner(3);
            if (pool != null) {
                Runnable task = () -> inner(4);
                tasks.add(pool.submit((Runnable) Probe.handOff(task)));
            }
            if (call % 3 == 0) throw new IllegalStateException();
            Probe.rootExit(1);
        } catch (Throwable e) {
            Probe.rootThrow(1);
            throw e;
        }
    }

    static void calls(int count, ExecutorService pool) {
        List<Future<?>> tasks = new ArrayList<>();
        for (int call = 0; call < count; call++) {
            try {
                root(call, pool, tasks);
            } catch (IllegalStateException e) {
                // One of the third calls.
            }
        }
        for (Future<?> task : tasks) {
            try {
                task.get();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            ExecutorService given = i == 0 ? pool : null;
            threads[i] = new Thread(() -> calls(count, given));
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        pool.shutdown();
        // Outside of roots.
        inner(3);
        System.out.println("calls " + 3L * count);
    }
}
