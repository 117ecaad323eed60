import java.io.PrintWriter;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** ECJ on the same sources, again and again in one JVM, on one thread. */
public class Compile {
    static int compile(String[] args) {
        PrintWriter nowhere = new PrintWriter(new java.io.StringWriter());
        return BatchCompiler.compile(args, nowhere, nowhere, null) ? 1 : 0;
    }

    static int run(int items, String[] args) {
        Plant.begin();
        int done = 0;
        for (int item = 0; item < items; item++) {
            done += compile(args);
            Plant.item(item);
        }
        Plant.end();
        return done;
    }

    public static void main(String[] args) {
        System.setProperty("jdt.compiler.useSingleThread", "true");
        String[] rest = java.util.Arrays.copyOfRange(args, 1, args.length);
        System.out.println(run(Integer.parseInt(args[0]), rest));
    }
}
