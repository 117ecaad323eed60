package fibres;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * `Parked THREADS ROUNDS`: virtual threads that wait and run for known times inside `request`, and
 * the number of nanoseconds that each method took at least, by the clock, in all threads: `nap` and
 * `poll` wait, `held` waits in a monitor, which before Java 24 keeps the carrier; `spin` runs.
 * `await` waits for a lock that other threads keep by turns.
 *
 * <p>`Parked` alone reads lines: `storm N` starts so many threads that call `request` again and
 * again, a round each time, until `end`; `once N` has N threads call it once. It answers with the
 * number of calls of `request` that have ended.
 */
public final class Parked {
    private static final long WAIT_MILLIS = 5;
    private static final long SPIN_NANOS = 2_000_000;

    private static final AtomicLong NAP = new AtomicLong();
    private static final AtomicLong POLL = new AtomicLong();
    private static final AtomicLong HELD = new AtomicLong();
    private static final AtomicLong SPIN = new AtomicLong();
    private static final AtomicLong ENDED = new AtomicLong();
    private static final ReentrantLock LOCK = new ReentrantLock(true);
    private static volatile boolean goesOn;

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            serve();
            return;
        }
        int rounds = Integer.parseInt(args[1]);
        List<Thread> all = start(Integer.parseInt(args[0]), () -> request(rounds));
        for (Thread thread : all) thread.join();
        System.out.println("nap " + NAP);
        System.out.println("poll " + POLL);
        System.out.println("held " + HELD);
        System.out.println("spin " + SPIN);
    }

    private static void serve() throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready " + ProcessHandle.current().pid());
        List<Thread> stormy = new ArrayList<>();
        for (String line; (line = input.readLine()) != null; ) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "storm":
                    goesOn = true;
                    stormy.addAll(start(Integer.parseInt(words[1]), () -> {
                        while (goesOn) request(1);
                    }));
                    break;
                case "once":
                    List<Thread> all = start(Integer.parseInt(words[1]), () -> request(1));
                    for (Thread thread : all) thread.join();
                    break;
                default:
                    goesOn = false;
                    for (Thread thread : stormy) thread.join();
                    stormy.clear();
            }
            System.out.println("= " + ENDED);
        }
    }

    private static List<Thread> start(int threads, Runnable body) throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) all.add((Thread) start.invoke(null, body));
        return all;
    }

    static void request(int rounds) {
        try {
            for (int i = 0; i < rounds; i++) {
                timed(NAP, Parked::nap);
                timed(POLL, Parked::poll);
                timed(HELD, Parked::held);
                timed(SPIN, Parked::spin);
                await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        ENDED.incrementAndGet();
    }

    private interface Step {
        void go() throws InterruptedException;
    }

    private static void timed(AtomicLong sum, Step step) throws InterruptedException {
        long since = System.nanoTime();
        step.go();
        sum.addAndGet(System.nanoTime() - since);
    }

    static void nap() throws InterruptedException {
        Thread.sleep(WAIT_MILLIS);
    }

    static void poll() throws InterruptedException {
        new LinkedBlockingQueue<Object>().poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    static void held() throws InterruptedException {
        synchronized (new Object()) {
            Thread.sleep(WAIT_MILLIS);
        }
    }

    static long spin() {
        long until = System.nanoTime() + SPIN_NANOS;
        long turns = 0;
        while (System.nanoTime() < until) turns++;
        return turns;
    }

    static void await() throws InterruptedException {
        LOCK.lock();
        try {
            own();
        } finally {
            LOCK.unlock();
        }
    }

    /** Runs with the lock, so that others wait in `await`. */
    static int own() {
        int sum = 0;
        for (int i = 0; i < 1_000; i++) sum += i * i;
        return sum;
    }

    private Parked() {}
}
