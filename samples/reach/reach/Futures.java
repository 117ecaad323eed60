package reach;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

/** Stages of CompletableFuture, and a subscriber. */
public final class Futures {
    static final class Direct implements Executor {
        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }

    static final class Special extends CompletableFuture<String> {
        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }

    static final class Reader implements Flow.Subscriber<Integer> {
        private final CountDownLatch done = new CountDownLatch(1);
        private int sum;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(Integer item) {
            sum += item;
        }

        @Override
        public void onError(Throwable thrown) {
            done.countDown();
        }

        @Override
        public void onComplete() {
            done.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(Futures::supply);
        CompletableFuture<Integer> second = CompletableFuture
                .supplyAsync(Futures::fail, new Direct())
                .exceptionally(Futures::saved);
        CompletableFuture<String> both =
                first.thenCombine(second, Futures::combine).thenApplyAsync(Futures::shown);
        System.out.println(both.whenComplete((text, thrown) -> told(text))
                .handle((text, thrown) -> handled(text)).get());
        CompletableFuture.runAsync(() -> ran()).thenRun(Futures::after)
                .thenCompose(nothing -> composed()).get();
        Special special = new Special();
        CompletableFuture<Void> accepted = special.thenAccept(Futures::told);
        special.complete("special");
        accepted.get();
        Reader reader = new Reader();
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
            publisher.subscribe(reader);
            publisher.submit(1);
        }
        reader.done.await();
        System.out.println(reader.sum);
    }

    private static Integer supply() {
        return 1;
    }

    private static Integer fail() {
        throw new IllegalStateException("on purpose");
    }

    private static Integer saved(Throwable thrown) {
        return 2;
    }

    private static Integer combine(Integer a, Integer b) {
        return a + b;
    }

    private static String shown(Integer value) {
        return "sum " + value;
    }

    private static void told(String text) {
        System.out.println(text);
    }

    private static String handled(String text) {
        return text + " handled";
    }

    private static void ran() {}

    private static void after() {}

    private static CompletableFuture<String> composed() {
        return CompletableFuture.completedFuture("composed");
    }
}
