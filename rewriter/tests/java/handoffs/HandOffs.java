// Call sites that hand tasks off (h once, p again and again, f function, a collection), and task
// methods ([ … ]). Only the methods of this file's top class are planned; task methods and call
// sites change in every class.
// log: +run
// log: +viaExecutor htask [task ]task -viaExecutor
// log: +viaSubmit htask htask -viaSubmit
// log: +viaSchedules htask ptask ptask -viaSchedules
// log: +viaTimer +timerTask -timerTask htask +timerTask -timerTask ptask +timerTask -timerTask
// log: htask +timerTask -timerTask ptask +timerTask -timerTask ptask -viaTimer
// log: +viaAll acollection -viaAll
// log: +viaStream ftask ftask ftask ftask ftask -viaStream
// log: +viaStage ftask ftask ftask -viaStage
// log: +viaThread htask [task ]task -viaThread
// log: [task ]task ^run
// log: [task ]task [task ]task [task ]task
// log: [task [task ]task ]task
// log: +viaNull hnull -viaNull
// log: -run
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public final class HandOffs {
    /** Runs everything at once, in the caller's thread; stands for executors of any class. */
    static final class Pool {
        void execute(Runnable r) { if (r != null) r.run(); }
        Object submit(Runnable r) { return "r"; }
        <T> T submit(Runnable r, T result) { return result; }
        Object schedule(Runnable r, long delay, TimeUnit unit) { return delay + "" + unit; }
        Object scheduleAtFixedRate(Runnable r, long start, long period, TimeUnit unit) {
            return start + period + "" + unit; }
        Object scheduleWithFixedDelay(Runnable r, long start, long delay, TimeUnit unit) {
            return start - delay + "" + unit; }
        Object invokeAll(Collection<?> tasks, long timeout, TimeUnit unit) {
            return tasks.size() + timeout + "" + unit; }
    }
    static final class Task implements Runnable {
        int runs;
        @Override public void run() { runs++; }
    }
    static final class Failing implements Runnable {
        @Override public void run() { throw new IllegalStateException("failing"); }
    }
    /** Frames of every kind, locals of two words, a branch to the first instruction. */
    static final class Branching implements Runnable {
        int n;
        @Override public void run() {
            while (true) {
                if (n++ > 2) return;
                long sum = 0;
                for (int i = 0; i < n; i++) {
                    double d = i * 0.5;
                    try {
                        if (d > 1) sum += i; else sum -= i;
                        if (sum > 100) return;
                    } catch (RuntimeException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }
    }
    static final class Caller implements Callable<String> {
        @Override public String call() { return "called"; }
    }
    static final class Outer implements Callable<Object> {
        final Task task = new Task();
        @Override public Object call() {
            task.run();
            return task.runs;
        }
    }

    static String viaExecutor(Pool pool) {
        Task t = new Task();
        pool.execute(t);
        return "" + t.runs;
    }
    static String viaSubmit(Pool pool) {
        return "" + pool.submit(new Task()) + pool.submit(new Task(), "result"); }
    static String viaSchedules(Pool pool) {
        return "" + pool.schedule(new Task(), 5, TimeUnit.DAYS)
                + pool.scheduleAtFixedRate(new Task(), 1, 2, TimeUnit.DAYS)
            + pool.scheduleWithFixedDelay(new Task(), 9, 2, TimeUnit.HOURS);
    }
    static TimerTask timerTask() {
        return new TimerTask() {
            @Override public void run() {}
        };
    }
    static String viaTimer() {
        Timer timer = new Timer(true);
        Date far = new Date(Long.MAX_VALUE / 2);
        timer.schedule(timerTask(), 1L << 40);
        timer.schedule(timerTask(), 1L << 40, 1L << 40);
        timer.schedule(timerTask(), far);
        timer.schedule(timerTask(), far, 1L << 40);
        timer.scheduleAtFixedRate(timerTask(), 1L << 40, 1L << 40);
        timer.cancel();
        return "t";
    }
    static String viaAll(Pool pool) {
        return "" + pool.invokeAll(List.of(new Task(), new Task()), 3, TimeUnit.SECONDS); }
    static String viaStream() {
        return Stream.of(1, 2, 3).map(x -> x + 1).filter(x -> x > 2).reduce(0, (a, b) -> a + b, (a,
                b) -> a + b) + ""
            + IntStream.range(0, 4).map(x -> x * x).sum();
    }
    static String viaStage() {
        Executor now = Runnable::run;
        return CompletableFuture.supplyAsync(() -> "s", now)
            .thenCombineAsync(CompletableFuture.completedFuture("c"), (a, b) -> a + b, now)
            .thenApply(x -> x + "!")
            .join();
    }
    static String viaThread() throws InterruptedException {
        Task t = new Task();
        Thread thread = new Thread(t);
        thread.start();
        thread.join();
        return "" + t.runs;
    }
    static void viaNull(Pool pool) { pool.execute(null); }

    static String run() throws Exception {
        Pool pool = new Pool();
        String s = viaExecutor(pool) + viaSubmit(pool) + viaSchedules(pool) + viaTimer()
                + viaAll(pool) + viaStream();
        s += viaStage() + viaThread();
        try { new Failing().run(); } catch (IllegalStateException e) { s += e.getMessage(); }
        Branching b = new Branching();
        b.run();
        b.run();
        Callable<String> c = new Caller();
        s += b.n + c.call();
        s += new Outer().call();
        viaNull(pool);
        return s;
    }
}
