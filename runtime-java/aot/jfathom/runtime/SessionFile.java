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
     * <p>A channel closes when its thread is interrupted, or says that it were: then another thread does it.
     */
    Region grow(long bytes, Memory memory) {
        boolean interrupted = Thread.interrupted();
        try {
            return append(bytes, memory);
        } catch (ClosedByInterruptException e) {
            interrupted |= Thread.interrupted();
            return Helper.grow(this, bytes, memory);
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    private Region append(long bytes, Memory memory) throws ClosedByInterruptException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            allocate(file, bytes);
            MappedByteBuffer map = file.getChannel().map(FileChannel.MapMode.READ_WRITE, length, bytes);
            Region region = memory.region(map);
            lastOffset = length;
            length += bytes;
            return region;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            giveBack();
            return null;
        }
    }

    /** A thread that nobody knows and nobody interrupts, for one call. Probes on it do nothing. */
    static final class Helper extends Thread {
        private final SessionFile file;
        private final long bytes;
        private final Memory memory;
        private Region region;
        private volatile boolean done;

        private Helper(SessionFile file, long bytes, Memory memory) {
            super("jfathom-helper");
            this.file = file;
            this.bytes = bytes;
            this.memory = memory;
        }

        static Region grow(SessionFile file, long bytes, Memory memory) {
            Helper helper = new Helper(file, bytes, memory);
            helper.setDaemon(true);
            helper.start();
            // Not join: it would throw for a caller that is interrupted.
            while (!helper.done) Thread.yield();
            return helper.region;
        }

        @Override
        public void run() {
            try {
                region = file.append(bytes, memory);
            } catch (Throwable e) {
                // The same as no space.
            } finally {
                done = true;
            }
        }
    }

    /** Whether the thread works for us. */
    static boolean helps(Thread thread) {
        return thread instanceof Helper;
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
