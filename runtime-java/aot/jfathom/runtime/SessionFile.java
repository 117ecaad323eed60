package jfathom.runtime;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
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
    /** Small areas share mappings of so many bytes, as a process may have few mappings for many threads. */
    private static final long EXTENT = 1 << 20;
    /** So much is left free for others where there is another place. */
    private static final long LEAVE = 16 << 20;

    /** Where it is. */
    final Path path;
    private long length;
    private long lastOffset;
    /** What is mapped and not given out: its place, and how much of it. */
    private Region spare;

    private long spareOffset;
    private long spareBytes;
    /** The overflow file, once it is in use. */
    private Path overflow;
    /** Whether there is none to be had, or it is in use. */
    private boolean overflowTried;
    /** Where the header is, once it is there. */
    private Region head;
    /** Whether a helper has not come back: what it has written of the file is not known. */
    private boolean stuck;

    private SessionFile(Path path) {
        this.path = path;
    }

    /** Makes the file, readable and writable by its owner only; never one that is there already. */
    static SessionFile create(Path path) throws IOException {
        makeFile(path);
        return new SessionFile(path);
    }

    private static void makeFile(Path path) throws IOException {
        Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileAttribute<?> owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        FileChannel.open(path, options, owner).close();
    }

    /** Bytes so far. */
    long length() {
        return length;
    }

    /** Bytes that it may grow by, here and in the other place. */
    long space() {
        long here = free(here());
        Path other = overflowTried ? null : otherPlace();
        return other == null ? here : here + free(other);
    }

    private Path here() {
        return overflow == null ? path : overflow;
    }

    private static long free(Path path) {
        return path.toFile().getUsableSpace();
    }

    /** The directory that the collector has made for what does not fit into its own, or null. */
    private Path otherPlace() {
        try {
            byte[] name = Files.readAllBytes(path.resolveSibling(Layout.OVERFLOW_FILE));
            Path directory = Paths.get(new String(name, StandardCharsets.UTF_8));
            return DirectoryOwner.ours(directory) ? directory : null;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** Goes on in the overflow file, if there may be one with more space. */
    private void moveOn(Memory memory) {
        Path directory = overflowTried || head == null ? null : otherPlace();
        overflowTried |= head != null;
        if (directory == null || free(directory) <= free(path)) return;
        String name = path.getFileName().toString();
        name = name.substring(0, name.length() - Layout.FILE_SUFFIX.length()) + Layout.OVERFLOW_SUFFIX;
        Path file = directory.resolve(name);
        try {
            makeFile(file);
        } catch (IOException e) {
            return;
        }
        overflow = file;
        spareBytes = 0;
        memory.putLong(head, Layout.HEADER_OVERFLOW, length);
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
        if (stuck) return null;
        boolean interrupted = Thread.interrupted();
        try {
            return append(bytes, memory);
        } catch (ClosedByInterruptException e) {
            interrupted |= Thread.interrupted();
            Helper helper = Helper.grow(this, bytes, memory);
            stuck = !helper.done;
            return stuck ? null : helper.region;
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    private Region append(long bytes, Memory memory) throws ClosedByInterruptException {
        if (bytes > spareBytes) {
            long free = free(here());
            if (free < LEAVE + bytes) {
                moveOn(memory);
                free = free(here());
            }
            boolean small = head != null && bytes < EXTENT / 2 && free > 64 * EXTENT;
            if (!extend(small ? EXTENT : bytes, memory)) {
                Path before = here();
                moveOn(memory);
                if (here() == before || !extend(bytes, memory)) return null;
            }
        }
        Region given = new Region(spare.origin + spareOffset, spare.store);
        lastOffset = length - spareBytes;
        spareOffset += bytes;
        spareBytes -= bytes;
        if (head == null) head = given;
        return given;
    }

    private boolean extend(long bytes, Memory memory) throws ClosedByInterruptException {
        try (RandomAccessFile file = new RandomAccessFile(here().toFile(), "rw")) {
            allocate(file, bytes);
            MappedByteBuffer map = file.getChannel().map(FileChannel.MapMode.READ_WRITE, length, bytes);
            spare = memory.region(map);
            spareOffset = 0;
            spareBytes = bytes;
            length += bytes;
            return true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            giveBack();
            return false;
        }
    }

    /** A thread that nobody knows and nobody interrupts, for one call. Probes on it do nothing. */
    static final class Helper extends Thread {
        private static final long LONGEST_NANOS = 10_000_000_000L;

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

        /** Gives the helper, which is done, or has taken too long: it may wait for what the caller holds, or for a disk. */
        static Helper grow(SessionFile file, long bytes, Memory memory) {
            Helper helper = new Helper(file, bytes, memory);
            helper.setDaemon(true);
            helper.start();
            long begun = System.nanoTime();
            // Not join: it would throw for a caller that is interrupted.
            while (!helper.done && System.nanoTime() - begun < LONGEST_NANOS) Thread.yield();
            return helper;
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
        try (RandomAccessFile file = new RandomAccessFile(here().toFile(), "rw")) {
            file.setLength(length);
        } catch (IOException e) {
            // Then the space stays taken.
        }
    }

    /** Removes the file, where no session came about. */
    void delete() {
        try {
            Files.deleteIfExists(path);
            if (overflow != null) Files.deleteIfExists(overflow);
        } catch (IOException e) {
            // The collector removes the directory.
        }
    }
}
