package cpu;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Paths;

/**
 * Prints for each method of {@code Work} how many ns its thread has run in it: by the JVM's bean,
 * by the scheduler's own count (or -1), and how many it took. Then threads that compete: as many as
 * the first argument says compute at once.
 */
public final class Main {
    private static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();
    private static final StringBuilder LINES = new StringBuilder();

    private Main() {}

    public static void main(String[] args) throws Exception {
        measure("warm", -1);
        for (int method = 0; method < Work.NAMES.length; method++) {
            Thread holder = method == 2 ? Work.holder() : null;
            measure(Work.NAMES[method], method);
            if (holder != null) {
                holder.join();
            }
        }
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        for (int at = 0; at < threads.length; at++) {
            threads[at] = new Thread(() -> {
                try {
                    measure("compete", 0);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.print(LINES);
    }

    private static void measure(String name, int method) throws Exception {
        long begin = System.nanoTime();
        long scheduled = scheduled();
        long ran = BEAN.getCurrentThreadCpuTime();
        Work.root(method);
        ran = BEAN.getCurrentThreadCpuTime() - ran;
        scheduled = scheduled < 0 ? -1 : scheduled() - scheduled;
        long took = System.nanoTime() - begin;
        synchronized (LINES) {
            LINES.append(name).append(' ').append(ran).append(' ').append(scheduled).append(' ');
            LINES.append(took).append('\n');
        }
    }

    /** The time for which this thread was on a processor, by /proc; -1 where that is not told. */
    private static long scheduled() {
        try {
            byte[] text = Files.readAllBytes(Paths.get("/proc/thread-self/schedstat"));
            return Long.parseLong(new String(text).split(" ")[0]);
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }
}
