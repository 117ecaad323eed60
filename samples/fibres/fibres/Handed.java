package fibres;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;

/**
 * `Handed virtual|platform THREADS ROUNDS`: threads that `spawn` hands off, each of which gives
 * steps to a queue of its own and serves it, in turns: a step that `give` hands off runs within a
 * call of `serve`. Prints how often each method was called. The API of Java 21 is reached by
 * reflection, so that this compiles for 17.
 */
public final class Handed {
    private static final LongAdder GIVES = new LongAdder();
    private static final LongAdder SERVES = new LongAdder();
    private static final LongAdder STEPS = new LongAdder();
    private static final LongAdder BODIES = new LongAdder();

    public static void main(String[] args) throws Exception {
        boolean virtual = args[0].equals("virtual");
        int left = Integer.parseInt(args[1]);
        int rounds = Integer.parseInt(args[2]);
        while (left > 0) {
            int now = Math.min(left, 100);
            spawn(virtual, now, rounds);
            left -= now;
        }
        System.out.println("give " + GIVES);
        System.out.println("serve " + SERVES);
        System.out.println("step " + STEPS);
        System.out.println("body " + BODIES);
    }

    static void spawn(boolean virtual, int threads, int rounds) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = thread(virtual, () -> body(rounds));
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) thread.join();
    }

    private static Thread thread(boolean virtual, Runnable body) throws Exception {
        if (!virtual) return new Thread(body);
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Method unstarted =
                Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
        return (Thread) unstarted.invoke(builder, body);
    }

    static void body(int rounds) {
        BODIES.increment();
        ArrayDeque<Runnable> queue = new ArrayDeque<>();
        Executor later = queue::add;
        for (int i = 0; i < rounds; i++) {
            give(later);
            serve(queue);
        }
    }

    static void give(Executor later) {
        GIVES.increment();
        later.execute(() -> step());
        later.execute(() -> step());
    }

    static void serve(ArrayDeque<Runnable> queue) {
        SERVES.increment();
        pause();
        while (!queue.isEmpty()) queue.poll().run();
        pause();
    }

    static void step() {
        STEPS.increment();
        pause();
    }

    private static void pause() {
        try {
            Thread.sleep(0, 100_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
