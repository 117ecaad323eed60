package jfathom.runtime;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * The session file as it grows. Space is written before it is mapped: a hole in a full file system would show as an error
 * in the middle of a program's call.
 */
final class SessionFile {
    private static final int BLOCK = 65_536;

    /** Where it is. */
    final Path path;
    private long length;
    private long lastOffset;

    private SessionFile(Path path) {
        this.path = path;
    }

    /** Makes the file, readable and writable by its owner only; never one that is there already. */
    static SessionFile create(Path path) throws IOException {
        Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileAttribute<?> owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        FileChannel.open(path, options, owner).close();
        return new SessionFile(path);
    }

    /** File offset of what {@link #grow} has last given. */
    long lastOffset() {
        return lastOffset;
    }

    /**
     * Appends {@code bytes} zeros, a multiple of the area alignment, and maps them; null if there is no space.
     *
     * <p>Channels close when their thread is interrupted, so each call opens its own, and tries again.
     */
    Region grow(long bytes, Memory memory) {
        boolean interrupted = Thread.interrupted();
        try {
            for (int attempt = 0; attempt < 100; attempt++) {
                try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                    allocate(file, bytes);
                    MappedByteBuffer map = file.getChannel().map(FileChannel.MapMode.READ_WRITE, length, bytes);
                    Region region = memory.region(map);
                    lastOffset = length;
                    length += bytes;
                    return region;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                } catch (IOException e) {
                    giveBack();
                    return null;
                }
            }
            return null;
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    private void allocate(RandomAccessFile file, long bytes) throws IOException {
        byte[] zeros = new byte[(int) Math.min(bytes, BLOCK)];
        file.seek(length);
        for (long left = bytes; left > 0; left -= zeros.length) file.write(zeros, 0, (int) Math.min(left, zeros.length));
    }

    /** Cuts off what was written of an area that did not fit. Nothing beyond {@code length} is mapped. */
    private void giveBack() {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(length);
        } catch (IOException e) {
            // Then the space stays taken.
        }
    }

    /** Removes the file, where no session came about. */
    void delete() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // The collector removes the directory.
        }
    }
}
