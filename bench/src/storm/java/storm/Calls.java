package storm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The calls that are recorded: each is put down in {@link Truth} before and after. */
class Calls {
    private static final class Refused extends RuntimeException {
        Refused() {
            super("refused", null, false, false);
        }
    }

    private static final class Node {
        final Node next;

        Node(Node next) {
            this.next = next;
        }
    }

    /**
     * A task that is handed to another thread, and stays there until all others have been there
     * where {@code together} is given.
     */
    private static final class Task implements Runnable {
        private final int row;
        private final int steps;
        private final long seed;
        private final CountDownLatch together;

        Task(int row, int steps, long seed, CountDownLatch together) {
            this.row = row;
            this.steps = steps;
            this.seed = seed;
            this.together = together;
        }

        @Override
        public void run() {
            Truth.begin(row, Truth.TASK);
            task(row, steps, seed);
            Truth.done(row, Truth.TASK);
            if (together != null) {
                together.countDown();
                try {
                    together.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** The same as a task with a result. */
    private static final class Question implements Callable<Integer> {
        private final Task task;

        Question(Task task) {
            this.task = task;
        }

        @Override
        public Integer call() {
            task.run();
            return task.row;
        }
    }

    private Calls() {}

    /** All that a recording with this root has. */
    static void root(Plan plan) throws Exception {
        work(0, plan.steps, plan.seed);
        CountDownLatch together = plan.together ? new CountDownLatch(plan.threads) : null;
        List<Task> tasks = new ArrayList<>();
        for (int row = 1; row <= plan.threads; row++) {
            tasks.add(new Task(row, plan.steps, plan.seed + row, together));
        }
        if (!tasks.isEmpty()) {
            handOff(plan, tasks);
        }
        if (plan.quiet > 0) {
            Thread.sleep(plan.quiet);
            work(0, plan.steps, plan.seed);
        }
        for (int i = 0; i < plan.overflows; i++) {
            Truth.begin(0, Truth.OVERFLOWS);
            overflows();
            Truth.done(0, Truth.OVERFLOWS);
        }
        if (plan.ending.equals("exit")) {
            System.exit(7);
        } else if (plan.ending.equals("halt")) {
            Runtime.getRuntime().halt(9);
        } else if (plan.ending.equals("throw")) {
            throw new Refused();
        }
    }

    private static void handOff(Plan plan, List<Task> tasks) throws Exception {
        if (plan.way.equals("thread")) {
            List<Thread> threads = new ArrayList<>();
            for (Task task : tasks) {
                Thread thread = new Thread(task);
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            return;
        }
        int threads = plan.together ? tasks.size() : Math.min(4, tasks.size());
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> ends = new ArrayList<>();
        for (Task task : tasks) {
            switch (plan.way) {
                case "future":
                    ends.add(CompletableFuture.runAsync(task, pool));
                    break;
                case "submit":
                    ends.add(pool.submit(new Question(task)));
                    break;
                default:
                    pool.execute(task);
            }
        }
        for (Future<?> end : ends) {
            end.get();
        }
        pool.shutdown();
        while (!pool.awaitTermination(1, java.util.concurrent.TimeUnit.HOURS)) {
            Thread.yield();
        }
    }

    private static void task(int row, int steps, long seed) {
        work(row, steps, seed);
    }

    private static void work(int row, int steps, long seed) {
        long state = seed * 0x9E3779B97F4A7C15L | 1;
        Node node = null;
        for (int step = 0; step < steps; step++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            int kind = (int) (state >>> 60);
            if (kind < 9) {
                Truth.begin(row, Truth.LEAF);
                leaf(step);
                Truth.done(row, Truth.LEAF);
            } else if (kind < 11) {
                Truth.begin(row, Truth.FAILS);
                try {
                    fails();
                } catch (Refused e) {
                    node = null;
                }
                Truth.done(row, Truth.FAILS);
            } else if (kind < 13) {
                Truth.begin(row, Truth.DEEP);
                deep(row, (int) (state & 31));
                Truth.done(row, Truth.DEEP);
            } else {
                Truth.begin(row, Truth.NODE);
                node = new Node(node);
                Truth.done(row, Truth.NODE);
            }
        }
    }

    private static int leaf(int n) {
        return n * 31 + 7;
    }

    private static void fails() {
        throw new Refused();
    }

    private static int deep(int row, int left) {
        if (left == 0) {
            return 0;
        }
        Truth.begin(row, Truth.DEEP);
        int depth = deep(row, left - 1) + 1;
        Truth.done(row, Truth.DEEP);
        return depth;
    }

    private static void overflows() {
        try {
            Truth.begin(0, Truth.OVERFLOW);
            overflow();
            Truth.done(0, Truth.OVERFLOW);
        } catch (StackOverflowError e) {
            return;
        }
    }

    private static void overflow() {
        Truth.begin(0, Truth.OVERFLOW);
        overflow();
        Truth.done(0, Truth.OVERFLOW);
    }
}
