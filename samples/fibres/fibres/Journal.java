package fibres;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * `Journal FILE ROWS STAYS`: rows of threads, one after another in each row, and every second row
 * of virtual ones. Puts down in the file how often each method was begun and done, so that it is
 * known also when the JVM is killed. The API of Java 21 is reached by reflection, so that this
 * compiles for 17, where all threads are platform threads.
 */
public final class Journal {
    private static final int TURNS = 40;
    private static final int LEAVES = 30;

    public static void main(String[] args) throws Exception {
        int rows = Integer.parseInt(args[1]);
        int stays = Integer.parseInt(args[2]);
        Counts.open(args[0], rows);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            int row = i;
            Thread thread = new Thread(() -> fill(row, stays));
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) thread.join();
    }

    private static void fill(int row, int stays) {
        try {
            for (int i = 0; i < stays; i++) {
                Runnable body = () -> {
                    Counts.begin(row, Counts.STAY);
                    stay(row);
                    Counts.done(row, Counts.STAY);
                };
                start(row % 2 == 1, body).join();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Thread start(boolean virtual, Runnable body) throws Exception {
        if (virtual) {
            try {
                Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
                return (Thread) start.invoke(null, body);
            } catch (NoSuchMethodException e) {
                // A platform thread does.
            }
        }
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }

    /** Is open for so long that slices end meanwhile. */
    static void stay(int row) {
        for (int i = 0; i < TURNS; i++) {
            Counts.begin(row, Counts.TURN);
            turn(row);
            Counts.done(row, Counts.TURN);
        }
    }

    static void turn(int row) {
        for (int i = 0; i < LEAVES; i++) {
            Counts.begin(row, Counts.LEAF);
            leaf(i);
            Counts.done(row, Counts.LEAF);
        }
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Synchronized, and so never too small for a record of its own. */
    static synchronized int leaf(int number) {
        return number * 31 + 7;
    }

    /**
     * The mapped file: process id, then for each row and method a count from before its call and
     * one from after it. A row belongs to one thread at a time.
     */
    static final class Counts {
        static final int STAY = 0;
        static final int TURN = 1;
        static final int LEAF = 2;
        private static final int METHODS = 3;

        private static ByteBuffer counts;

        static void open(String file, int rows) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.READ,
                    StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
                counts = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8 + rows * METHODS * 16L)
                        .order(ByteOrder.LITTLE_ENDIAN);
            }
            counts.putLong(0, ProcessHandle.current().pid());
        }

        static void begin(int row, int method) {
            add(8 + (row * METHODS + method) * 16);
        }

        static void done(int row, int method) {
            add(8 + (row * METHODS + method) * 16 + 8);
        }

        private static void add(int at) {
            counts.putLong(at, counts.getLong(at) + 1);
        }

        private Counts() {}
    }

    private Journal() {}
}
