package samples;

// roots: HandOffTimers::root

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Work that a root gives to a later time, once and again and again. */
public final class HandOffTimers {
    private static final AtomicInteger DONE = new AtomicInteger();

    public static void main(String[] args) throws Exception { // calls(1) inside(0)
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        Timer timer = new Timer("timer", true);
        try {
            scheduler.schedule(HandOffTimers::foreign, 1, TimeUnit.MILLISECONDS).get();
            root(scheduler, timer);
            scheduler.schedule(HandOffTimers::foreign, 1, TimeUnit.MILLISECONDS).get();
        } finally {
            scheduler.shutdown();
            timer.cancel();
        }
        System.out.println("hand-off timers " + DONE);
    }

    static void root(ScheduledExecutorService scheduler, Timer timer) throws Exception { // calls(1) inside(1) spawned(12)
        scheduler.schedule(() -> once(1), 1, TimeUnit.MILLISECONDS).get();
        scheduler.schedule(HandOffTimers::answer, 1, TimeUnit.MILLISECONDS).get();
        await(scheduler.scheduleAtFixedRate(new Thrice(), 0, 1, TimeUnit.MILLISECONDS));
        await(scheduler.scheduleWithFixedDelay(new Thrice()::run, 0, 1, TimeUnit.MILLISECONDS));
        CountDownLatch timed = new CountDownLatch(4);
        timer.schedule(new Once(timed), 1);
        timer.schedule(new Ticks(timed), 1, 1);
        timed.await();
    }

    private static void await(ScheduledFuture<?> periodic) throws InterruptedException { // calls(2) inside(2)
        try {
            periodic.get();
        } catch (ExecutionException | CancellationException e) {
            return;
        }
        throw new AssertionError("a periodic task ended by itself");
    }

    static void foreign() { // calls(2) inside(0)
        DONE.incrementAndGet();
    }

    static void once(int x) { // calls(1) inside(1)
        DONE.addAndGet(x);
    }

    static String answer() { // calls(1) inside(1)
        DONE.incrementAndGet();
        return "answer";
    }

    /** Ends its own repetition by throwing in the third run. */
    static final class Thrice implements Runnable {
        private int runs;

        @Override
        public void run() { // calls(6) inside(6) throws(2)
            DONE.incrementAndGet();
            if (++runs == 3) {
                throw new IllegalStateException("enough");
            }
        }
    }

    static final class Once extends TimerTask {
        private final CountDownLatch done;

        Once(CountDownLatch done) {
            this.done = done;
        }

        @Override
        public void run() { // calls(1) inside(1)
            DONE.incrementAndGet();
            done.countDown();
        }
    }

    static final class Ticks extends TimerTask {
        private final CountDownLatch done;
        private int runs;

        Ticks(CountDownLatch done) {
            this.done = done;
        }

        @Override
        public void run() { // calls(3) inside(3)
            DONE.incrementAndGet();
            if (++runs == 3) {
                cancel();
            }
            done.countDown();
        }
    }

    private HandOffTimers() {}
}
