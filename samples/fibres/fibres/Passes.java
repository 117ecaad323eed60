package fibres;

import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * `Passes ROUNDS virtual|platform`: each `request` hands one task of each kind to another thread
 * and waits for its end before the next one begins, so that a task runs within the request that
 * has handed it off. An object that is handed off twice at once runs twice. Prints how many tasks
 * of one hand-off there were. The API of Java 21 is reached by reflection.
 */
public final class Passes {
    /** Virtual threads of a request: whether one has ended is only looked up among many. */
    private static final int FIBRES = 20;

    private static int tasks;

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        boolean virtual = args[1].equals("virtual");
        ExecutorService pool = Executors.newFixedThreadPool(1);
        // The recorder asks for numbers when it has found this JVM.
        Thread.sleep(500);
        for (int i = 0; i < rounds; i++) request(pool, virtual);
        pool.shutdown();
        System.out.println(tasks);
    }

    static void request(ExecutorService pool, boolean virtual) throws Exception {
        pool.submit(() -> pause()).get();
        pool.submit(new Marked()).get();
        Thread thread = new Thread(new Marked());
        thread.start();
        thread.join();
        tasks += 4;
        for (int i = 0; virtual && i < FIBRES; i++) {
            Thread fibre = fibre(new Marked());
            fibre.start();
            fibre.join();
            tasks++;
        }
        CountDownLatch gate = new CountDownLatch(1);
        Future<?> before = pool.submit(() -> await(gate));
        Marked twice = new Marked();
        Future<?> first = pool.submit(twice);
        Future<?> second = pool.submit(twice);
        gate.countDown();
        before.get();
        first.get();
        second.get();
    }

    private static Thread fibre(Runnable body) throws Exception {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Method unstarted =
                Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
        return (Thread) unstarted.invoke(builder, body);
    }

    static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A task of a class of its own. */
    private static final class Marked implements Runnable {
        @Override
        public void run() {
            pause();
        }
    }
}
