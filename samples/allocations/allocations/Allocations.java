package allocations;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * `Allocations THREADS VIRTUAL`: methods that allocate, each called by `root`, and how many bytes
 * each of them has allocated with all that it calls, as the JVM's bean says around the calls. One
 * line each: the method's name and the bytes. `shared` also runs in so many threads, and on so many
 * virtual threads if the JVM has them, with as many bytes in each.
 *
 * <p>Run without a recording it states the truth for one. Every object escapes, so that no compiler
 * takes its allocation away.
 */
public final class Allocations {
    private static final int ROUNDS = 6;
    private static final int SMALL = 3_000;
    private static final ThreadMXBean BEAN =
            (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Bytes that asking the bean allocates: not in any number. */
    private static long ofBean;

    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int virtual = Integer.parseInt(args[1]);
        prepare();
        String[] names = {
            "small", "large", "nested", "thrown", "collected", "random", "counting", "nothing",
        };
        for (String name : names) {
            long bytes = 0;
            for (int round = 0; round < ROUNDS; round++) bytes += measured(name);
            System.out.println(name + " " + bytes);
        }
        long one = measured("shared");
        AtomicLong shared = new AtomicLong(one);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> shared.addAndGet(measured("shared")));
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) thread.join();
        all.clear();
        Method start = startVirtual();
        for (int i = 0; start != null && i < virtual; i++) {
            all.add((Thread) start.invoke(null, (Runnable) () -> root("shared")));
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
        sink = new IllegalStateException();
        sink = new java.util.Random(1).nextInt(5);
        sink = new byte[1];
        sink = new long[1];
        root("nothing");
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

    private static long measured(String name) {
        long before = bytes();
        root(name);
        return bytes() - before - ofBean;
    }

    static void root(String name) {
        switch (name) {
            case "small":
                small();
                break;
            case "large":
                large();
                break;
            case "nested":
                nested();
                break;
            case "thrown":
                thrown();
                break;
            case "collected":
                collected();
                break;
            case "random":
                random();
                break;
            case "counting":
                counting();
                break;
            case "shared":
                shared();
                break;
            default:
                nothing();
        }
    }

    /** Many small objects, which are in the thread's buffer. */
    static void small() {
        for (int i = 0; i < SMALL; i++) sink = new byte[i & 63];
    }

    /** Objects that no thread's buffer has room for. */
    static void large() {
        for (int i = 0; i < 3; i++) sink = new byte[(4 << 20) + i];
    }

    /** Bytes of its own before, between and after those of its callees. */
    static void nested() {
        sink = new byte[100];
        for (int i = 0; i < 50; i++) {
            inner(i);
            sink = new byte[300];
        }
        sink = new byte[700];
    }

    static void inner(int i) {
        sink = new long[i];
        if (i % 7 == 0) inner(i + 1);
    }

    /** Exceptions out of methods that have allocated. */
    static void thrown() {
        for (int i = 0; i < 200; i++) {
            try {
                thrower(i);
            } catch (IllegalStateException e) {
                sink = new byte[20];
            }
        }
    }

    static void thrower(int i) {
        sink = new byte[i];
        if (i % 2 == 0) throw new IllegalStateException();
        deeper(i);
    }

    static void deeper(int i) {
        sink = new byte[i + 1];
        throw new IllegalStateException();
    }

    /** The collector takes the thread's buffer back between its objects. */
    static void collected() {
        for (int i = 0; i < 3; i++) {
            sink = new byte[1_000];
            System.gc();
            inner(5);
            sink = new byte[2_000];
        }
    }

    /** Sizes from one word to a part of a megabyte, in no order. */
    static void random() {
        java.util.Random random = new java.util.Random(42);
        for (int i = 0; i < 4_000; i++) {
            int size = random.nextInt(100) == 0 ? 200_000 : random.nextInt(2_000);
            sized(size);
        }
    }

    static void sized(int size) {
        sink = new byte[size];
    }

    /** Calls of a method that is only counted: its bytes are its caller's. */
    static void counting() {
        for (int i = 0; i < SMALL; i++) sink = get();
    }

    private static Object get() {
        return new int[3];
    }

    static void nothing() {
        int sum = 0;
        for (int i = 0; i < SMALL; i++) sum += plain(i);
        if (sum == 5) sink = null;
    }

    static int plain(int i) {
        return i * 31 ^ i;
    }

    /** In several threads at once. */
    static void shared() {
        for (int i = 0; i < 100; i++) {
            inner(i % 10);
            sink = new byte[4_000];
        }
    }

    private Allocations() {}
}
