package samples;

// roots: HandOffFutures::root

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Stages of a CompletableFuture. */
public final class HandOffFutures {
    private static final AtomicInteger DONE = new AtomicInteger();

    public static void main(String[] args) { // calls(1) inside(0)
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            CompletableFuture.runAsync(HandOffFutures::foreign, pool).join();
            CompletableFuture.runAsync(HandOffFutures::foreign).join();
            int sum = root(pool);
            CompletableFuture.runAsync(HandOffFutures::foreign, pool).join();
            CompletableFuture.runAsync(HandOffFutures::foreign).join();
            System.out.println("hand-off futures " + sum + " " + DONE);
        } finally {
            pool.shutdown();
        }
    }

    static int root(ExecutorService pool) { // calls(1) inside(1) spawned(8)
        CompletableFuture<Integer> first =
                CompletableFuture.supplyAsync(HandOffFutures::supply, pool);
        CompletableFuture<Integer> second = CompletableFuture.supplyAsync(HandOffFutures::supply);
        first.join();
        second.join();
        int sum = first.thenApplyAsync(HandOffFutures::apply, pool)
                .thenApplyAsync(HandOffFutures::apply)
                .thenCombineAsync(second, HandOffFutures::combine, pool)
                .join();
        CompletableFuture.runAsync(HandOffFutures::run, pool)
                .thenAcceptAsync(nothing -> accept(), pool).join();
        first.whenCompleteAsync((value, failure) -> accept(), pool).join();
        // The future is complete, so that the function runs here and now, inside the root.
        return sum + first.thenApply(HandOffFutures::applyHere).join();
    }

    static void foreign() { // calls(4) inside(0)
        DONE.incrementAndGet();
    }

    static int supply() { // calls(2) inside(2)
        return DONE.incrementAndGet() > 0 ? 5 : 0;
    }

    static int apply(int x) { // calls(2) inside(2)
        return x + 1;
    }

    static int combine(int a, int b) { // calls(1) inside(1)
        return a + b;
    }

    static void run() { // calls(1) inside(1)
        DONE.incrementAndGet();
    }

    static void accept() { // calls(2) inside(2)
        DONE.incrementAndGet();
    }

    static int applyHere(int x) { // calls(1) inside(1)
        return x * 2;
    }

    private HandOffFutures() {}
}
