import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** ECJ on the same sources, again and again on one thread; prints each round's times. */
public final class CompileRounds {
    private CompileRounds() {}

    static boolean compile(String[] args) {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        return BatchCompiler.compile(args, nowhere, nowhere, null);
    }

    /** The arguments are the number of rounds, then ECJ's. */
    public static void main(String[] args) {
        System.setProperty("jdt.compiler.useSingleThread", "true");
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        String[] compiler = Arrays.copyOfRange(args, 1, args.length);
        for (int round = Integer.parseInt(args[0]); round > 0; round--) {
            long cpu = threads.getCurrentThreadCpuTime();
            long wall = System.nanoTime();
            boolean done = compile(compiler);
            wall = System.nanoTime() - wall;
            cpu = threads.getCurrentThreadCpuTime() - cpu;
            System.out.println("ROOT_NS " + wall + " CPU_NS " + cpu + " result " + done);
        }
    }
}
