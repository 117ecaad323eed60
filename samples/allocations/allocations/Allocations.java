package allocations;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * `Allocations THREADS VIRTUAL`: the methods of {@link Work}, and how many bytes each of them has
 * allocated with all that it calls, as the JVM's bean says around the calls. One
 * line each: the method's name and the bytes. `shared` also runs in so many threads, and on so many
 * virtual threads if the JVM has them, with as many bytes in each.
 *
 * <p>Run without a recording it states the truth for one. Every object escapes, so that no compiler
 * takes its allocation away.
 */
public final class Allocations {
    private static final int ROUNDS = 6;
    private static final ThreadMXBean BEAN =
            (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Bytes that asking the bean allocates: not in any number. */
    private static long ofBean;

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int virtual = Integer.parseInt(args[1]);
        prepare();
        String[] names = {
            "small", "large", "nested", "thrown", "collected", "random", "counting", "nothing",
        };
        for (int method = 0; method < names.length; method++) {
            long bytes = 0;
            for (int round = 0; round < ROUNDS; round++) bytes += measured(method);
            System.out.println(names[method] + " " + bytes);
        }
        long one = measured(Work.SHARED);
        AtomicLong shared = new AtomicLong(one);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> shared.addAndGet(measured(Work.SHARED)));
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) thread.join();
        all.clear();
        Method start = startVirtual();
        for (int i = 0; start != null && i < virtual; i++) {
            all.add((Thread) start.invoke(null, (Runnable) () -> Work.root(Work.SHARED)));
            // The bean does not know virtual threads.
            shared.addAndGet(one);
        }
        for (Thread thread : all) thread.join();
        System.out.println("shared " + shared);
    }

    /** What is used for the first time allocates more than later. */
    private static void prepare() throws Exception {
        for (int i = 0; i < 100; i++) ofBean = bytes();
        ofBean = bytes();
        ofBean = bytes() - ofBean;
        for (int i = 0; i < 3; i++) warmUp();
    }

    /** The methods' own code, outside of recorded methods. */
    private static void warmUp() {
        Work.sink = new IllegalStateException();
        Work.sink = new java.util.Random(1).nextInt(5);
        Work.sink = new byte[1];
        Work.sink = new long[1];
        Work.root(Work.NOTHING);
    }

    private static Method startVirtual() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static long bytes() {
        return BEAN.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static long measured(int method) {
        long before = bytes();
        Work.root(method);
        return bytes() - before - ofBean;
    }

    private Allocations() {}
}
