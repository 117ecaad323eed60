package live;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * {@code Busy FILE}: the JVM ends while a thread is inside {@code root}, which calls {@code leaf}
 * without end. FILE has 16 bytes that outlive the process: how many of these calls have begun, and
 * how many are done.
 */
public final class Busy {
    private static volatile boolean warm;

    public static void main(String[] args) throws Exception {
        try (FileChannel file = FileChannel.open(
                Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer counts = file.map(FileChannel.MapMode.READ_WRITE, 0, 16);
            Thread thread = new Thread(() -> root(counts));
            thread.setDaemon(true);
            thread.start();
        }
        while (!warm) Thread.sleep(1);
    }

    static void root(MappedByteBuffer counts) {
        for (long n = 1; ; n++) {
            counts.putLong(0, n);
            leaf(n);
            counts.putLong(8, n);
            if (n == 20_000) warm = true;
        }
    }

    static long leaf(long n) {
        return n * 31 + 7;
    }

    private Busy() {}
}
