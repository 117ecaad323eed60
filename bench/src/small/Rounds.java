import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.IntUnaryOperator;

/** Runs a root some times and prints its wall and CPU time. It is not instrumented. */
public final class Rounds {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Rounds() {}

    /** The arguments are the root's, and how many times. */
    public static void of(String[] args, IntUnaryOperator root) {
        int n = Integer.parseInt(args[0]);
        for (int i = Integer.parseInt(args[1]); i > 0; i--) {
            long cpu = THREADS.getCurrentThreadCpuTime();
            long wall = System.nanoTime();
            int result = root.applyAsInt(n);
            wall = System.nanoTime() - wall;
            cpu = THREADS.getCurrentThreadCpuTime() - cpu;
            System.out.println("ROOT_NS " + wall + " CPU_NS " + cpu + " result " + result);
        }
    }
}
