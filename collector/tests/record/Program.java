import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import jfathom.runtime.Probe;

/**
 * What the tests record: it calls the probes itself. Id 0 is run, 1 is step. The last line that it
 * prints is its result.
 */
public class Program {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            // calls COUNT
            case "calls":
                run(Integer.parseInt(args[1]));
                System.out.println("done " + args[1]);
                break;
            // exit COUNT CODE: with both calls open for 50 ms
            case "exit":
                open(Integer.parseInt(args[1]));
                System.exit(Integer.parseInt(args[2]));
                break;
            // halt COUNT CODE: the same without shutdown hooks
            case "halt":
                open(Integer.parseInt(args[1]));
                Runtime.getRuntime().halt(Integer.parseInt(args[2]));
                break;
            // killed COUNT: by its own child, by SIGKILL
            case "killed":
                run(Integer.parseInt(args[1]));
                String pid = Long.toString(ProcessHandle.current().pid());
                new ProcessBuilder("kill", "-KILL", pid).start().waitFor();
                Thread.sleep(Long.MAX_VALUE);
                break;
            // cut COUNT: cuts its session file off, and kills itself
            case "cut":
                run(Integer.parseInt(args[1]));
                String cut = "truncate -s 0 \"$JFATHOM_SESSION\"/jvm-*.jft; kill -KILL $PPID";
                new ProcessBuilder("sh", "-c", cut).start().waitFor();
                Thread.sleep(Long.MAX_VALUE);
                break;
            // sleep COUNT: until a signal
            case "sleep":
                run(Integer.parseInt(args[1]));
                Thread.sleep(Long.MAX_VALUE);
                break;
            // threads THREADS COUNT [FILE]: waits between two halves until FILE is there, and says
            // so
            case "threads":
                String file = args.length > 3 ? args[3] : null;
                threads(Integer.parseInt(args[1]), Integer.parseInt(args[2]), file);
                break;
            // parent JAVA COUNT: calls, and a JVM of its own that calls
            case "parent": {
                run(Integer.parseInt(args[2]));
                new ProcessBuilder(args[1], "-Xshare:auto", "-cp",
                        System.getProperty("java.class.path"), "Program", "calls", args[2])
                        .inheritIO().start().waitFor();
                break;
            }
            // wait COUNT FILE: until FILE is there
            case "wait":
                run(Integer.parseInt(args[1]));
                await(args[2]);
                run(Integer.parseInt(args[1]));
                System.out.println("waited");
                break;
            // idle: calls no probe but loads the runtime
            case "idle":
                Probe.innerEntry(0);
                System.out.println("idle");
                break;
            // plain: does not know the runtime
            case "plain":
                System.out.println("plain");
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    static void run(int count) {
        int token = Probe.methodEntry(0);
        steps(count);
        Probe.methodExit(token);
    }

    static void open(int count) throws InterruptedException {
        Probe.methodEntry(0);
        steps(count);
        Probe.methodEntry(1);
        Thread.sleep(50);
    }

    static void steps(int count) {
        for (int i = 0; i < count; i++) {
            int token = Probe.methodEntry(1);
            if (i % 10 == 9) Probe.methodThrow(token);
            else Probe.methodExit(token);
        }
    }

    /** Waits until the file is there; its directory goes away when the test is over. */
    static void await(String file) throws InterruptedException {
        File wanted = new File(file);
        while (!wanted.exists() && wanted.getParentFile().exists()) Thread.sleep(5);
    }

    static void threads(int threads, int count, String file) throws Exception {
        List<Thread> all = new ArrayList<>();
        int[] sums = new int[threads];
        CountDownLatch half = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            int self = t;
            Thread thread = new Thread(() -> {
                run(count / 2);
                half.countDown();
                if (file != null) {
                    try {
                        await(file);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                run(count - count / 2);
                sums[self] = count;
            }, "worker-" + t);
            thread.start();
            all.add(thread);
        }
        if (file != null) {
            half.await();
            System.out.println("half");
        }
        int sum = 0;
        for (int t = 0; t < threads; t++) {
            all.get(t).join();
            sum += sums[t];
        }
        System.out.println("sum " + sum);
    }
}
