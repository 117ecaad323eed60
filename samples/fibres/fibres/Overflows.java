package fibres;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;

/**
 * `Overflows THREADS ROUNDS`: virtual threads whose stacks overflow in each round, at a place that
 * differs, and that hand on to each other afterwards. With one carrier the program goes on only if
 * none of them keeps it while it waits. The API of Java 21 is reached by reflection, so that this
 * compiles for 17.
 */
public final class Overflows {
    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        List<SynchronousQueue<Integer>> queues = new ArrayList<>();
        for (int i = 0; i <= threads; i++) queues.add(new SynchronousQueue<>());
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Method start = Class.forName("java.lang.Thread$Builder").getMethod("start", Runnable.class);
        for (int i = 0; i < threads; i++) {
            SynchronousQueue<Integer> from = queues.get(i);
            SynchronousQueue<Integer> to = queues.get(i + 1);
            start.invoke(builder, (Runnable) () -> pass(from, to, rounds));
        }
        int overflows = 0;
        for (int round = 0; round < rounds; round++) {
            queues.get(0).put(0);
            overflows += queues.get(threads).take();
        }
        System.out.println("overflows " + overflows);
    }

    private static void pass(
            SynchronousQueue<Integer> from, SynchronousQueue<Integer> to, int rounds) {
        try {
            for (int round = 0; round < rounds; round++) to.put(from.take() + overflow(round % 32));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends at the stack's end, with so many frames of another size before. */
    static int overflow(int frames) {
        try {
            return pad(frames);
        } catch (StackOverflowError e) {
            return 1;
        }
    }

    private static int pad(int frames) {
        return frames == 0 ? down(1, 2, 3) : pad(frames - 1) + 1;
    }

    private static int down(long a, long b, long c) {
        return down(b, c, a) + 1;
    }
}
