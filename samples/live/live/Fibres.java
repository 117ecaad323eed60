package live;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * `Fibres N`: `root` lets N virtual threads each call `step` twice; on older JVMs a pool does it.
 */
final class Fibres implements Act {
    @Override
    public String act(String[] words) throws Exception {
        return Integer.toString(root(Integer.parseInt(words[0])));
    }

    static int root(int n) throws Exception {
        ExecutorService executor = executor();
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int own = i;
            all.add(executor.submit(() -> step(own) + step(own + 1)));
        }
        int sum = 0;
        for (Future<Integer> one : all) {
            sum += one.get();
        }
        executor.shutdown();
        return sum;
    }

    private static ExecutorService executor() throws ReflectiveOperationException {
        try {
            Method virtual = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
            return (ExecutorService) virtual.invoke(null);
        } catch (NoSuchMethodException e) {
            return Executors.newFixedThreadPool(2);
        }
    }

    static int step(int n) {
        Thread.yield();
        return n & 7;
    }
}
