package jfathom.runtime;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What an inert copy of the runtime leaves behind. */
final class InertCopy {
    private InertCopy() {}

    /** Another copy has the session of this JVM: says so in its file. */
    static void report(String session) throws java.io.IOException {
        try (RandomAccessFile file = new RandomAccessFile(session, "rw")) {
            ByteBuffer head = file.getChannel()
                    .map(FileChannel.MapMode.READ_WRITE, 0, Layout.HEADER_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);
            if (head.getLong(Layout.HEADER_LAYOUT_HASH) != Layout.LAYOUT_HASH) return;
            // Copies start one after another: each under the first one's property.
            synchronized (System.getProperties()) {
                int counter = Layout.HEADER_SECOND_RUNTIMES;
                head.putLong(counter, head.getLong(counter) + 1);
            }
        }
    }

    /** No session came about: a text beside the place of its file says why. */
    static void reason(Path session, Throwable e) {
        try {
            String text = session.getFileName().toString().replace(Layout.FILE_SUFFIX, ".failed");
            Files.write(
                    session.resolveSibling(text),
                    String.valueOf(e).getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
        } catch (Throwable f) {
            // There is no other place to say it.
        }
    }
}
