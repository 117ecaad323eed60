import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import jfathom.runtime.Probe;

/**
 * Roots and hand-offs, with the probes that the rewriter would insert. Id 1 is the root, id 2 a
 * root within it. Inner methods have an id for each kind of hand-off, so that the counts show which
 * hand-offs were followed.
 */
public class Roots {
    static void inner(int id) {
        int token = Probe.innerEntry(id);
        try {
            Probe.methodExit(token);
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static void root(int id, Runnable body) {
        Probe.rootEntry(id);
        try {
            body.run();
            Probe.rootExit(id);
        } catch (Throwable e) {
            Probe.rootThrow(id);
            throw e;
        }
    }

    /** A task class of the program: marked, and opened by the probe of its task method. */
    static class Task implements Runnable, Callable<Object> {
        final int id;

        Task(int id) {
            this.id = id;
        }

        @Override
        public void run() {
            int opened = Probe.taskEntry(this);
            try {
                inner(id);
                Probe.taskExit(opened);
            } catch (Throwable e) {
                Probe.taskExit(opened);
                throw e;
            }
        }

        @Override
        public Object call() {
            int opened = Probe.taskEntry(this);
            try {
                inner(id);
                Probe.taskExit(opened);
                return null;
            } catch (Throwable e) {
                Probe.taskExit(opened);
                throw e;
            }
        }
    }

    static class Sum extends RecursiveTask<Integer> {
        final int depth;

        Sum(int depth) {
            this.depth = depth;
        }

        @Override
        protected Integer compute() {
            int opened = Probe.taskEntry(this);
            try {
                inner(16);
                int result = 1;
                if (depth > 0) {
                    Sum left = new Sum(depth - 1);
                    Probe.handOffReceiver(left);
                    left.fork();
                    result += new Sum(depth - 1).compute() + left.join();
                }
                Probe.taskExit(opened);
                return result;
            } catch (Throwable e) {
                Probe.taskExit(opened);
                throw e;
            }
        }
    }

    static class Sub extends Thread {
        @Override
        public void run() {
            int opened = Probe.taskEntry(this);
            inner(11);
            inner(11);
            Probe.taskExit(opened);
        }
    }

    static void quietly(Callable<?> body) {
        try {
            body.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    static void handOffs() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        // The pool's threads exist already and are outside.
        for (int i = 0; i < 10; i++) pool.submit(() -> inner(30)).get();

        List<Thread> threads = new ArrayList<>();
        root(1, () -> {
            for (int i = 0; i < 5; i++) {
                Thread thread = new Thread(() -> inner(10));
                Probe.handOffReceiver(thread);
                thread.start();
                Thread sub = new Sub();
                Probe.handOffReceiver(sub);
                sub.start();
                threads.add(thread);
                threads.add(sub);
            }
        });
        for (Thread thread : threads) thread.join();

        List<Future<?>> futures = new ArrayList<>();
        root(1, () -> {
            for (int i = 0; i < 20; i++) {
                futures.add(pool.submit((Runnable) Probe.handOff((Runnable) () -> inner(12))));
                futures.add(pool.submit((Callable<Object>) Probe.handOff((Callable<Object>) () -> {
                    inner(13);
                    return null;
                })));
                futures.add(pool.submit((Runnable) Probe.handOff(new Task(14))));
            }
            Task same = new Task(15);
            for (int i = 0; i < 20; i++) {
                futures.add(pool.submit((Callable<?>) Probe.handOff(same)));
            }
        });
        for (Future<?> future : futures) future.get();
        // Handed off outside a root: not followed.
        for (int i = 0; i < 10; i++) {
            pool.submit((Runnable) Probe.handOff((Runnable) () -> inner(30))).get();
        }
        for (int i = 0; i < 10; i++) pool.submit((Runnable) Probe.handOff(new Task(30))).get();

        ForkJoinPool fork = new ForkJoinPool(2);
        root(1, () -> fork.invoke((Sum) Probe.handOff(new Sum(5))));
        System.out.println("forked 63");

        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        CountDownLatch lambda = new CountDownLatch(5);
        CountDownLatch task = new CountDownLatch(5);
        TimerTask periodic = new TimerTask() {
            @Override
            public void run() {
                int opened = Probe.taskEntry(this);
                if (task.getCount() > 0) inner(18);
                Probe.taskExit(opened);
                task.countDown();
            }
        };
        Timer old = new Timer();
        root(1, () -> {
            timer.scheduleAtFixedRate((Runnable) Probe.handOffPeriodic((Runnable) () -> {
                if (lambda.getCount() > 0) inner(17);
                lambda.countDown();
            }), 0, 1, TimeUnit.MILLISECONDS);
            old.schedule((TimerTask) Probe.handOffPeriodic(periodic), 0, 1);
        });
        lambda.await();
        task.await();
        timer.shutdownNow();
        old.cancel();

        List<CompletableFuture<?>> stages = new ArrayList<>();
        Supplier<Integer> one = () -> {
            inner(19);
            return 1;
        };
        Function<Integer, Integer> next = x -> {
            inner(19);
            return x + 1;
        };
        root(1, () -> {
            Supplier<Integer> first = (Supplier<Integer>) Probe.handOffFunction(one);
            CompletableFuture<Integer> stage = CompletableFuture.supplyAsync(first, pool);
            Function<Integer, Integer> then =
                    (Function<Integer, Integer>) Probe.handOffFunction(next);
            stages.add(stage.thenApplyAsync(then, pool));
        });
        for (CompletableFuture<?> stage : stages) stage.get();

        Callable<Object> lambdaTask = () -> {
            inner(20);
            return null;
        };
        root(1, () -> {
            Object tasks = Probe.handOffAll(Arrays.asList(lambdaTask, new Task(20)));
            quietly(() -> pool.invokeAll((java.util.Collection<Callable<Object>>) tasks));
        });

        java.util.function.IntConsumer each = x -> inner(21);
        root(1, () -> IntStream.range(0, 1000)
                .parallel()
                .forEach((java.util.function.IntConsumer) Probe.handOffFunction(each)));

        // Exceptions pass through a wrapper, and it closes.
        Future<?>[] failing = new Future<?>[1];
        root(1, () -> failing[0] = pool.submit((Runnable) Probe.handOff((Runnable) () -> {
            inner(22);
            throw new IllegalStateException();
        })));
        try {
            failing[0].get();
            throw new AssertionError("the exception is lost");
        } catch (java.util.concurrent.ExecutionException e) {
            if (!(e.getCause() instanceof IllegalStateException)) throw new AssertionError(e);
        }
        for (int i = 0; i < 10; i++) pool.submit(() -> inner(30)).get();
        pool.shutdown();
        fork.shutdown();
    }

    /** A task whose method has no probe: nobody sees whether it runs. */
    static class Unseen implements Runnable {
        @Override
        public void run() {}
    }

    /** Marked and forgotten: must not fill the heap. */
    static void abandoned(int count) {
        root(1, () -> {
            for (int i = 0; i < count; i++) Probe.handOff(new Unseen());
        });
    }

    /** A thread that is marked where its start() is called, and again in its start(). */
    static class Eager extends Thread {
        @Override
        public void start() {
            Probe.handOffReceiver(this);
            super.start();
        }

        @Override
        public void run() {
            inner(23);
        }
    }

    /** What starts without being a task, though it may have the methods of one. */
    static class Engine implements Runnable {
        void start() {}

        @Override
        public void run() {}
    }

    /** No task is missing here, though the probes see no run. */
    static void notMissing() throws Exception {
        List<Thread> threads = new ArrayList<>();
        root(1, () -> {
            Engine engine = new Engine();
            Probe.handOffReceiver(engine);
            engine.start();
            Probe.handOffReceiver("no task at all");
            Eager eager = new Eager();
            Probe.handOffReceiver(eager);
            eager.start();
            threads.add(eager);
            // Its class has probes: it never runs, so nothing is missing.
            Probe.handOff(new Task(30));
        });
        for (Thread thread : threads) thread.join();
        CountDownLatch end = new CountDownLatch(1);
        Thread running = new Thread(() -> {
            quietly(() -> {
                end.await();
                return null;
            });
            inner(30);
        });
        running.start();
        root(1, () -> {
            Probe.handOffReceiver(running);
            try {
                running.start();
                throw new AssertionError("it was started twice");
            } catch (IllegalThreadStateException e) {
                inner(24);
            }
        });
        end.countDown();
        running.join();
    }

    public static void main(String[] args) throws Exception {
        inner(30);
        root(1, () -> {
            inner(3);
            root(2, () -> inner(3));
            root(1, () -> inner(3));
            inner(3);
        });
        inner(30);
        try {
            root(1, () -> {
                throw new IllegalStateException();
            });
        } catch (IllegalStateException e) {
            inner(30);
        }
        for (int i = 0; i < 1000; i++) {
            root(2, () -> inner(4));
            inner(30);
        }
        // Another thread does not come inside through this one.
        root(1, () -> quietly(() -> {
            Thread thread = new Thread(() -> inner(30));
            thread.start();
            thread.join();
            return null;
        }));
        handOffs();
        notMissing();
        abandoned(Integer.parseInt(args[0]));
        System.out.println("done 1");
    }
}
