import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import jfathom.runtime.Probe;

/**
 * Measures what probes cost: CPU time of each thread per call. Arguments: kind (clock, loop, mixed,
 * fib, …), threads.
 */
public class ProbeCost {
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static final int CALLS = 4_000_000;
    static final int N = 27;
    static volatile int sink;

    static int plain(int x) {
        return x * 31 + 7;
    }

    static int probed(int x) {
        int token = Probe.methodEntry(1);
        try {
            int result = x * 31 + 7;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static int inner(int x) {
        int token = Probe.innerEntry(1);
        try {
            int result = x * 31 + 7;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    /** A method whose mode stays time. */
    static int timed(int x) {
        int token = Probe.methodEntry(9);
        try {
            int result = probed(x) + 1;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    /** A timed call that calls three counted methods, whose ids are near each other. */
    static int near(int x) {
        int token = Probe.methodEntry(9);
        Probe.countedEntry(10);
        Probe.countedEntry(400);
        Probe.countedEntry(900);
        Probe.methodExit(token);
        return x * 31 + 7;
    }

    /** The same with ids that are far apart. */
    static int far(int x) {
        int token = Probe.methodEntry(9);
        Probe.countedEntry(10);
        Probe.countedEntry(45_000);
        Probe.countedEntry(90_000);
        Probe.methodExit(token);
        return x * 31 + 7;
    }

    static int plainFib(int n) {
        return n < 2 ? n : plainFib(n - 1) + plainFib(n - 2);
    }

    static int fib(int n) {
        int token = Probe.methodEntry(2);
        try {
            int result = n < 2 ? n : fib(n - 1) + fib(n - 2);
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static int innerFib(int n) {
        int token = Probe.innerEntry(2);
        try {
            int result = n < 2 ? n : innerFib(n - 1) + innerFib(n - 2);
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    interface Work {
        int run();
    }

    /** The median over rounds of CPU nanoseconds per call. */
    static double measure(int calls, Work work) {
        double[] rounds = new double[15];
        for (int i = 0; i < 25; i++) {
            long start = THREADS.getCurrentThreadCpuTime();
            sink = work.run();
            double nanos = (double) (THREADS.getCurrentThreadCpuTime() - start) / calls;
            if (i >= 10) rounds[i - 10] = nanos;
        }
        java.util.Arrays.sort(rounds);
        return rounds[rounds.length / 2];
    }

    static int calls(int n) {
        return n < 2 ? 1 : 1 + calls(n - 1) + calls(n - 2);
    }

    static void go(String kind) {
        int fibs = calls(N);
        double without = 0;
        double with = 0;
        switch (kind) {
            case "clock":
                with = measure(CALLS, () -> {
                    long x = 0;
                    for (int i = 0; i < CALLS; i++) {
                        x += System.nanoTime();
                        x ^= System.nanoTime();
                    }
                    return (int) x;
                });
                break;
            case "loop":
                without = measure(CALLS, () -> {
                    int x = 0;
                    for (int i = 0; i < CALLS; i++) x = plain(x);
                    return x;
                });
                with = measure(CALLS, () -> {
                    int x = 0;
                    for (int i = 0; i < CALLS; i++) x = probed(x);
                    return x;
                });
                break;
            case "mixed":
                without = measure(CALLS, () -> {
                    int x = 0;
                    for (int i = 0; i < CALLS; i++) x = plain(x) + 1;
                    return x;
                });
                with = measure(CALLS, () -> {
                    int x = 0;
                    for (int i = 0; i < CALLS; i++) x = timed(x);
                    return x;
                });
                break;
            case "near":
            case "far":
                boolean isNear = kind.equals("near");
                without = measure(CALLS, () -> {
                    int x = 0;
                    for (int i = 0; i < CALLS; i++) x = probed(x);
                    return x;
                });
                with = measure(CALLS, () -> {
                    int x = 0;
                    for (int i = 0; i < CALLS; i++) x = isNear ? near(x) : far(x);
                    return x;
                });
                break;
            case "fib":
                without = measure(fibs, () -> plainFib(N));
                with = measure(fibs, () -> fib(N));
                break;
            case "rooted":
                Probe.rootEntry(3);
                without = measure(CALLS, () -> {
                    int x = 0;
                    for (int i = 0; i < CALLS; i++) x = plain(x);
                    return x;
                });
                with = measure(CALLS, () -> {
                    int x = 0;
                    for (int i = 0; i < CALLS; i++) x = inner(x);
                    return x;
                });
                Probe.rootExit(3);
                break;
            case "outside":
                // The thread has been inside before, as a server's worker has.
                Probe.rootEntry(3);
                innerFib(20);
                Probe.rootExit(3);
                without = measure(fibs, () -> plainFib(N));
                with = measure(fibs, () -> innerFib(N));
                break;
            case "never":
                without = measure(fibs, () -> plainFib(N));
                with = measure(fibs, () -> innerFib(N));
                break;
            default:
                throw new IllegalArgumentException(kind);
        }
        synchronized (ProbeCost.class) {
            System.out.printf(java.util.Locale.ROOT, "%s %.2f %.2f%n", kind, without, with);
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) (all[i] = new Thread(() -> go(args[0]))).start();
        for (Thread thread : all) thread.join();
    }
}
