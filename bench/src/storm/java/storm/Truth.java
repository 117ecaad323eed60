package storm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How often each method was begun and done, in a mapped file that outlives the process. A row
 * belongs to one thread at a time, and holds for each method a count from before its call and one
 * from after it. It is never instrumented.
 */
final class Truth {
    static final int ROOT = 0, TASK = 1, LEAF = 2, FAILS = 3, DEEP = 4, OVERFLOWS = 5, OVERFLOW = 6,
            NODE = 7;
    private static final int METHODS = 8;

    private static ByteBuffer counts;

    private Truth() {}

    static void open(String file, int rows) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            counts = channel.map(FileChannel.MapMode.READ_WRITE, 0, rows * METHODS * 16L)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    static void begin(int row, int method) {
        add((row * METHODS + method) * 16);
    }

    static void done(int row, int method) {
        add((row * METHODS + method) * 16 + 8);
    }

    private static void add(int at) {
        counts.putLong(at, counts.getLong(at) + 1);
    }
}
