package jfathom.runtime;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a copy of the runtime that stays inert writes down. */
final class InertCopy {
    private InertCopy() {}

    /** Another copy has the session of this JVM: counts this one in that session's file. */
    static void countIn(String session) throws java.io.IOException {
        try (RandomAccessFile file = new RandomAccessFile(session, "rw")) {
            ByteBuffer head =
                    file.getChannel()
                            .map(FileChannel.MapMode.READ_WRITE, 0, Layout.HEADER_BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN);
            if (head.getLong(Layout.HEADER_LAYOUT_HASH) != Layout.LAYOUT_HASH) return;
            // All copies have this object in common, so that no two of them add at once.
            synchronized (System.getProperties()) {
                int counter = Layout.HEADER_DUPLICATE_RUNTIMES;
                head.putLong(counter, head.getLong(counter) + 1);
            }
        }
    }

    /** No session could be opened: a text beside the place of its file says why. */
    static void writeReason(Path session, Throwable e) {
        try {
            String file = session.getFileName().toString();
            String name = file.replace(Layout.FILE_SUFFIX, Layout.FAILURE_SUFFIX);
            Files.write(
                    session.resolveSibling(name),
                    String.valueOf(e).getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
        } catch (Throwable f) {
            // There is no other place for the reason.
        }
    }
}
