import java.io.File;
import java.util.concurrent.CountDownLatch;
import jfathom.runtime.Probe;

/**
 * Threads that get no ring, or no room in theirs. Id 1 is a root, 2 a method that its tasks call, 3
 * a step, 4 a call after all others.
 */
public class Waiting {
    static int step(int id) {
        int token = Probe.methodEntry(id);
        try {
            int result = id;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static void inner() {
        int token = Probe.innerEntry(2);
        Probe.methodExit(token);
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "crowd":
                crowd(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
                break;
            case "file":
                untilFile(new File(args[1]));
                break;
            case "row":
                row(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
                break;
            case "steps":
                steps(Integer.parseInt(args[1]));
                break;
            default:
                overflow();
        }
        System.out.println("done 1");
    }

    /** A root hands off threads that are all alive at once, each with so many calls. */
    static void crowd(int threads, int calls) throws Exception {
        CountDownLatch begun = new CountDownLatch(threads);
        Thread[] all = new Thread[threads];
        Probe.rootEntry(1);
        for (int i = 0; i < threads; i++) {
            all[i] = new Thread(null, () -> {
                inner();
                begun.countDown();
                try {
                    begun.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int j = 1; j < calls; j++) inner();
            }, "task-" + i, 1 << 17);
            Probe.handOff(all[i]);
            all[i].start();
        }
        for (Thread thread : all) thread.join();
        Probe.rootExit(1);
    }

    /** Steps within a step until the file is there, then a hundred calls. */
    static void untilFile(File file) {
        long steps = 0;
        int token = Probe.methodEntry(1);
        while (!file.exists()) {
            for (int i = 0; i < 100; i++) step(3);
            steps += 100;
        }
        for (int i = 0; i < 100; i++) step(4);
        Probe.methodExit(token);
        System.out.println("steps " + steps);
    }

    /** A first step, and so many more. */
    static void steps(int more) {
        step(3);
        System.out.println("begun 1");
        for (int i = 0; i < more; i++) step(3);
    }

    /** Threads, one after another. */
    static void row(int threads, int calls) throws Exception {
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                for (int j = 0; j < calls; j++) step(3);
            });
            thread.start();
            thread.join();
        }
    }

    /** Each frame catches the overflow, so that probes meet the stack's end at each depth. */
    static void overflow() throws Exception {
        for (int i = 0; i < 20; i++) {
            Thread thread = new Thread(null, () -> {
                try {
                    dive();
                } catch (StackOverflowError e) {
                    // Expected.
                }
            }, "deep", 200_000 + 1000 * i);
            thread.start();
            thread.join();
        }
    }

    static void dive() {
        int token = Probe.methodEntry(5);
        try {
            try {
                dive();
            } catch (StackOverflowError e) {
                Probe.handleCatch(e, token);
                throw e;
            }
            Probe.methodExit(token);
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }
}
