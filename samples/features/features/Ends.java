package features;

import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What runs later or on another thread, and what the JVM runs at an end. */
public final class Ends {
    private Ends() {}

    static void collect(CountDownLatch latch) throws InterruptedException {
        while (!latch.await(20, TimeUnit.MILLISECONDS)) System.gc();
    }

    /** JLS 12.6 */
    public static final class Finalized {
        static final CountDownLatch DONE = new CountDownLatch(1);

        public static void main(String[] args) throws Exception {
            make();
            collect(DONE);
        }

        static void make() {
            new Desk();
        }

        static final class Desk {
            @Override
            @SuppressWarnings("deprecation")
            protected void finalize() {
                Truth.called();
                DONE.countDown();
            }
        }
    }

    public static final class Cleaned {
        static final CountDownLatch DONE = new CountDownLatch(1);

        public static void main(String[] args) throws Exception {
            register(Cleaner.create());
            collect(DONE);
        }

        static void register(Cleaner cleaner) {
            cleaner.register(new Object(), new Action());
        }

        static final class Action implements Runnable {
            @Override
            public void run() {
                Truth.called();
                DONE.countDown();
            }
        }
    }

    public static final class Queued {
        static final class Reference extends PhantomReference<Object> {
            Reference(Object referent, ReferenceQueue<Object> queue) {
                super(referent, queue);
            }

            void tidy() {
                Truth.called();
            }
        }

        public static void main(String[] args) throws Exception {
            ReferenceQueue<Object> queue = new ReferenceQueue<>();
            Reference kept = new Reference(new Object(), queue);
            java.lang.ref.Reference<?> found = null;
            while (found == null) {
                System.gc();
                found = queue.remove(20);
            }
            ((Reference) found).tidy();
            java.lang.ref.Reference.reachabilityFence(kept);
        }
    }

    public static final class Hook {
        public static void main(String[] args) {
            Runtime.getRuntime().addShutdownHook(new Thread(new Action()));
        }

        static final class Action implements Runnable {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    /** JLS 11.3 */
    public static final class Uncaught {
        public static void main(String[] args) throws Exception {
            Thread thread = new Thread(() -> {
                throw new IllegalStateException();
            });
            thread.setUncaughtExceptionHandler(new Handler());
            thread.start();
            thread.join();
        }

        static final class Handler implements Thread.UncaughtExceptionHandler {
            @Override
            public void uncaughtException(Thread thread, Throwable exception) {
                Truth.called();
            }
        }
    }

    public static final class Default {
        public static void main(String[] args) throws Exception {
            Thread.setDefaultUncaughtExceptionHandler(new Handler());
            Thread thread = new Thread(() -> {
                throw new IllegalStateException();
            });
            thread.start();
            thread.join();
        }

        static final class Handler implements Thread.UncaughtExceptionHandler {
            @Override
            public void uncaughtException(Thread thread, Throwable exception) {
                Truth.called();
            }
        }
    }

    public static final class Group {
        public static void main(String[] args) throws Exception {
            Thread thread = new Thread(new Own("group"), () -> {
                throw new IllegalStateException();
            });
            thread.start();
            thread.join();
        }

        static final class Own extends ThreadGroup {
            Own(String name) {
                super(name);
            }

            @Override
            public void uncaughtException(Thread thread, Throwable exception) {
                Truth.called();
            }
        }
    }

    public static final class Subclass {
        public static void main(String[] args) throws Exception {
            Thread thread = new Worker();
            thread.start();
            thread.join();
        }

        static final class Worker extends Thread {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Local {
        static final ThreadLocal<String> INITIAL = ThreadLocal.withInitial(Local::first);
        static final InheritableThreadLocal<String> CHILD = new InheritableThreadLocal<>() {
            @Override
            protected String childValue(String value) {
                Truth.called();
                return value;
            }
        };

        public static void main(String[] args) throws Exception {
            INITIAL.get();
            CHILD.set("x");
            Thread thread = new Thread(() -> {});
            thread.start();
            thread.join();
        }

        static String first() {
            Truth.called();
            return "first";
        }
    }

    public static final class Timed {
        static final CountDownLatch DONE = new CountDownLatch(1);

        public static void main(String[] args) throws Exception {
            Timer timer = new Timer(true);
            timer.schedule(new Once(), 1);
            DONE.await();
        }

        static final class Once extends TimerTask {
            @Override
            public void run() {
                Truth.called();
                DONE.countDown();
            }
        }
    }

    public static final class Pool {
        public static void main(String[] args) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(1, new Factory());
            pool.submit(Pool::work).get();
            pool.shutdown();
        }

        static String work() {
            Truth.called();
            return "done";
        }

        static final class Factory implements ThreadFactory {
            @Override
            public Thread newThread(Runnable task) {
                Truth.called();
                return new Thread(task);
            }
        }
    }

    public static final class Rejected {
        public static void main(String[] args) {
            ThreadPoolExecutor pool =
                    new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1),
                            new Handler());
            pool.shutdown();
            pool.execute(() -> {});
        }

        static final class Handler implements RejectedExecutionHandler {
            @Override
            public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {
                Truth.called();
            }
        }
    }

    public static final class Future {
        public static void main(String[] args) throws Exception {
            CompletableFuture.supplyAsync(Future::first).thenApply(Future::second).get();
        }

        static String first() {
            Truth.called();
            return "first";
        }

        static String second(String before) {
            Truth.called();
            return before;
        }
    }

    public static final class Forked {
        public static void main(String[] args) {
            ForkJoinPool.commonPool().invoke(new Sum(2));
        }

        static final class Sum extends RecursiveTask<Integer> {
            private static final long serialVersionUID = 1;
            private final int depth;

            Sum(int depth) {
                this.depth = depth;
            }

            @Override
            protected Integer compute() {
                Truth.called();
                if (depth == 0) return 1;
                Sum other = new Sum(depth - 1);
                other.fork();
                return new Sum(depth - 1).compute() + other.join();
            }
        }
    }
}
