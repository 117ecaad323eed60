package fibres;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;

/**
 * `Carriers THREADS`: virtual threads of a scheduler that mounts each time on a platform thread of
 * its own, which ends with that. Prints how often each method was called. Needs
 * `--add-opens=java.base/java.lang=ALL-UNNAMED`, since only the JVM's own tests may name a
 * scheduler. On 17 it does nothing.
 */
public final class Carriers {
    private static final LongAdder REQUESTS = new LongAdder();
    private static final LongAdder LEAVES = new LongAdder();
    private static final LongAdder MOUNTS = new LongAdder();

    public static void main(String[] args) throws Exception {
        Class<?> builders;
        try {
            builders = Class.forName("java.lang.ThreadBuilders");
        } catch (ClassNotFoundException e) {
            System.out.println("no virtual threads");
            return;
        }
        Executor scheduler = continuation -> {
            MOUNTS.increment();
            Thread carrier = new Thread(continuation);
            // JDK 21's timer thread begins on the first carrier that sleeps, and is what that is.
            carrier.setDaemon(true);
            carrier.start();
        };
        Method make = builders.getDeclaredMethod(
                "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
        make.setAccessible(true);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            int number = i;
            Thread thread = (Thread) make.invoke(null, scheduler, null, 0, (Runnable) () -> body(number));
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) thread.join();
        if (MOUNTS.sum() < 6L * all.size()) throw new IllegalStateException("mounts: " + MOUNTS);
        System.out.println("request " + REQUESTS);
        System.out.println("leaf " + LEAVES);
    }

    static void body(int number) {
        for (int i = 0; i < 3; i++) request(number + i);
    }

    static int request(int number) {
        REQUESTS.increment();
        int sum = leaf(number);
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        sum += leaf(sum);
        Thread.yield();
        return leaf(sum);
    }

    static int leaf(int number) {
        LEAVES.increment();
        return number * 31 + 7;
    }

    private Carriers() {}
}
