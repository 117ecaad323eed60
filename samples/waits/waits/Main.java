package waits;

import java.io.File;
import java.io.FileOutputStream;
import java.net.Socket;

/**
 * Calls the methods of {@code Work}, and prints for each the ns that it took: no wait in it can be
 * longer. The first argument is a named pipe, or {@code -}. With a second one it first waits for a
 * line of input, so that a session can begin. With {@code -Dwaits.virtual=true} a virtual thread
 * calls them. With {@code -Dwaits.late=true} it then sleeps for 2.5 s, and with
 * {@code -Dwaits.halt=true} the JVM ends after that without an end of JFR.
 */
public final class Main {
    private static final StringBuilder LINES = new StringBuilder();

    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 1) {
            System.out.println("ready");
            System.out.flush();
            System.in.read();
        }
        if (Boolean.getBoolean("waits.virtual")) {
            virtual(args).join();
        } else {
            root(args);
        }
        System.out.print(LINES);
        boolean halts = Boolean.getBoolean("waits.halt");
        if (halts || Boolean.getBoolean("waits.late")) {
            System.out.println("pid " + ProcessHandle.current().pid());
            System.out.flush();
            // JFR has written what was before by the end of it.
            Thread.sleep(2_500);
        }
        if (halts) Runtime.getRuntime().halt(7);
    }

    /** All of it on a virtual thread; by reflection, for older Java has none. */
    private static Thread virtual(String[] args) throws Exception {
        Runnable body = () -> {
            try {
                root(args);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, body);
    }

    static void root(String[] args) throws Exception {
        measure("sleep", Work::sleep);
        measure("park", Work::park);
        measure("objectWait", Work::objectWait);
        Thread holder = Work.holder();
        measure("monitor", Work::monitor);
        holder.join();
        try (Socket socket = Work.lateSocket()) {
            measure("socket", () -> Work.socket(socket));
        }
        if (!args[0].equals("-")) {
            File pipe = new File(args[0]);
            // Opened for both, it does not wait, and the reader has a writer.
            FileOutputStream[] writer = new FileOutputStream[1];
            Work.later(() -> {
                writer[0] = new FileOutputStream(pipe);
                Thread.sleep(Work.MILLIS);
                writer[0].write(1);
                writer[0].close();
            });
            measure("file", () -> Work.file(pipe));
        }
        measure("collect", Work::collect);
        measure("shortParks", Work::shortParks);
        measure("compute", Work::compute);
        measure("exceptions", Work::exceptions);
        measure("shortExceptions", Work::shortExceptions);
        measure("allocate", Work::allocate);
        measure("error", Work::error);
    }

    private static void measure(String name, Work.Action action) throws Exception {
        long begin = System.nanoTime();
        action.run();
        long took = System.nanoTime() - begin;
        LINES.append(name).append(' ').append(took).append('\n');
    }
}
