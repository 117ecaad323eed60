package reach;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What executors run. */
public final class Executors {
    static final class Answer implements Callable<Integer> {
        @Override
        public Integer call() {
            return answer();
        }

        private static int answer() {
            return 42;
        }
    }

    static final class Sum extends RecursiveTask<Integer> {
        private final int from;
        private final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from < 4) {
                return leaf();
            }
            Sum left = new Sum(from, (from + to) / 2);
            left.fork();
            return new Sum((from + to) / 2, to).compute() + left.join();
        }

        private int leaf() {
            return to - from;
        }
    }

    static final class Pool extends ThreadPoolExecutor {
        Pool() {
            super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new Names());
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            System.out.println("before on " + thread.getName());
        }

        @Override
        protected void terminated() {
            System.out.println("terminated");
        }
    }

    static final class Names implements java.util.concurrent.ThreadFactory {
        @Override
        public Thread newThread(Runnable task) {
            return new Thread(task, "named");
        }
    }

    static final class Told extends FutureTask<Integer> {
        Told() {
            super(new Answer());
        }

        @Override
        protected void done() {
            System.out.println("done");
        }
    }

    public static void main(String[] args) throws Exception {
        Pool pool = new Pool();
        pool.execute(Executors::executed);
        System.out.println(pool.submit(new Answer()).get() + pool.submit(() -> submitted()).get());
        Told told = new Told();
        pool.execute(told);
        told.get();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.HOURS);
        ExecutorService two = java.util.concurrent.Executors.newFixedThreadPool(2);
        ExecutorCompletionService<Integer> completion = new ExecutorCompletionService<>(two);
        completion.submit(Executors::submitted);
        System.out.println(completion.take().get()
                + two.invokeAll(List.of(new Answer(), new Answer())).size());
        two.shutdown();
        ScheduledExecutorService scheduled =
                java.util.concurrent.Executors.newScheduledThreadPool(1);
        System.out.println(scheduled.schedule(() -> later(), 1, TimeUnit.MILLISECONDS).get());
        scheduled.shutdown();
        System.out.println(new ForkJoinPool(2).invoke(new Sum(0, 64)));
    }

    private static void executed() {
        System.out.println("executed");
    }

    private static Integer submitted() {
        return 1;
    }

    private static String later() {
        return "later";
    }
}
