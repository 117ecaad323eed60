package samples;

// roots: HandOffExecutors::root

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Work that a root gives to a pool, which also works for others. */
public final class HandOffExecutors {
    private static final AtomicInteger DONE = new AtomicInteger();

    public static void main(String[] args) throws Exception { // calls(1) inside(0)
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            pool.submit(HandOffExecutors::foreign).get();
            root(pool);
            for (int i = 0; i < 10; i++) {
                pool.submit(HandOffExecutors::foreign).get();
            }
        } finally {
            pool.shutdown();
        }
        System.out.println("hand-off executors " + DONE);
    }

    static void root(ExecutorService pool) throws Exception { // calls(1) inside(1) spawned(11)
        CountDownLatch executed = new CountDownLatch(1);
        pool.execute(() -> { // calls(2) inside(2) as(lambda$root$*) with the next one
            byLambda();
            executed.countDown();
        });
        executed.await();
        Expect.that(pool.submit(() -> byCallable(20)).get() == 21, "callable");
        pool.submit(new Job()).get();
        pool.submit(new Job(), "result").get();
        Future<?> anonymous = pool.submit(new Callable<String>() {
            @Override
            public String call() { // calls(1) inside(1) as(HandOffExecutors$1::call) desc(()Ljava/lang/String;)
                byAnonymous();
                return "c";
            }
        });
        anonymous.get();
        List<Callable<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            // both kinds: marked objects and lambdas
            all.add(i % 2 == 0 ? new Call(i) : HandOffExecutors::one);
        }
        int sum = 0;
        for (Future<Integer> future : pool.invokeAll(all)) {
            sum += future.get();
        }
        Expect.that(sum == 4, "invokeAll");
        Expect.that(pool.invokeAny(List.of(new Call(5))) == 5, "invokeAny");
        failing(pool);
    }

    private static void failing(ExecutorService pool) { // calls(1) inside(1)
        Expect.thrown(java.util.concurrent.ExecutionException.class,
                () -> pool.submit((Runnable) HandOffExecutors::fails).get());
    }

    static void fails() { // calls(1) inside(1) throws(1)
        throw new IllegalStateException("as planned");
    }

    static void foreign() { // calls(11) inside(0)
        DONE.incrementAndGet();
    }

    static void byLambda() { // calls(1) inside(1)
        DONE.incrementAndGet();
    }

    static int byCallable(int x) { // calls(1) inside(1)
        DONE.incrementAndGet();
        return x + 1;
    }

    static void byAnonymous() { // calls(1) inside(1)
        DONE.incrementAndGet();
    }

    static int one() { // calls(2) inside(2)
        DONE.incrementAndGet();
        return 1;
    }

    static final class Job implements Runnable {
        @Override
        public void run() { // calls(2) inside(2)
            DONE.incrementAndGet();
        }
    }

    static final class Call implements Callable<Integer> {
        private final int value;

        Call(int value) {
            this.value = value;
        }

        @Override
        public Integer call() { // calls(3) inside(3) desc(()Ljava/lang/Integer;)
            DONE.incrementAndGet();
            return value;
        }
    }

    private HandOffExecutors() {}
}
