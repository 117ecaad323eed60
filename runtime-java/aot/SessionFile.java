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
 * The session file as it grows. Space is written before it is mapped: a hole in a full file system
 * would be an error in the middle of the program's call.
 *
 * <p>Called under {@link ThreadTable#LOCK}, or before the session is open. A {@link Helper} works
 * while its caller waits for it.
 */
final class SessionFile {
    /** Bytes of one write. */
    private static final int ZEROS = 65_536;
    /** Small areas share mappings of this size: a process may have only so many mappings. */
    private static final long EXTENT = 1 << 20;
    /** Bytes that stay free for others if there is an overflow directory. */
    private static final long RESERVE = 16 << 20;

    final Path path;
    private long length;
    private long lastOffset;
    /** Space that is mapped and not yet used: its region, the offset in that, and its bytes. */
    private Region spare;

    private long spareOffset;
    private long spareBytes;
    /** The overflow file, once it is in use. */
    private Path overflow;
    /** Whether the overflow file is in use, or cannot be had. */
    private boolean overflowTried;
    /** The first region, with the header; null before the first {@link #grow}. */
    private Region head;
    /** Whether a helper has not ended: nobody knows how much of the file it has written. */
    private boolean stuck;

    private SessionFile(Path path) {
        this.path = path;
    }

    /** Makes the file with mode 0600. Fails if it exists. */
    static SessionFile create(Path path) throws IOException {
        makeFile(path);
        return new SessionFile(path);
    }

    private static void makeFile(Path path) throws IOException {
        Set<StandardOpenOption> options =
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileAttribute<?> mode =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        FileChannel.open(path, options, mode).close();
    }

    long length() {
        return length;
    }

    /** Bytes that can still be allocated, in both files. */
    long space() {
        long here = free(growingFile());
        Path other = overflowTried ? null : overflowDirectory();
        return other == null ? here : here + free(other);
    }

    /** The file that grows: the session file, or the overflow file once it is in use. */
    private Path growingFile() {
        return overflow == null ? path : overflow;
    }

    private static long free(Path path) {
        return path.toFile().getUsableSpace();
    }

    /** The overflow directory that the collector has made, or null. */
    private Path overflowDirectory() {
        try {
            byte[] name = Files.readAllBytes(path.resolveSibling(Layout.OVERFLOW_FILE));
            Path directory = Paths.get(new String(name, StandardCharsets.UTF_8));
            return DirectoryOwner.isOurs(directory) ? directory : null;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** Moves to the overflow file, if its directory has more space. At most once. */
    private void moveToOverflow(Memory memory) {
        Path directory = overflowTried || head == null ? null : overflowDirectory();
        overflowTried |= head != null;
        if (directory == null || free(directory) <= free(path)) return;
        String name = path.getFileName().toString();
        name = name.substring(0, name.length() - Layout.FILE_SUFFIX.length());
        Path file = directory.resolve(name + Layout.OVERFLOW_SUFFIX);
        try {
            makeFile(file);
        } catch (IOException e) {
            return;
        }
        overflow = file;
        spareBytes = 0;
        memory.putLong(head, Layout.HEADER_OVERFLOW, length);
    }

    /** File offset of the region that {@link #grow} has returned last. */
    long lastOffset() {
        return lastOffset;
    }

    /**
     * {@link Host#grow}. A channel closes when its thread is interrupted, or overrides {@code
     * isInterrupted} to say so. Another thread then does the work.
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
            long free = free(growingFile());
            if (free < RESERVE + bytes) {
                moveToOverflow(memory);
                free = free(growingFile());
            }
            boolean small = head != null && bytes < EXTENT / 2 && free > 64 * EXTENT;
            if (!extend(small ? EXTENT : bytes, memory)) {
                Path before = growingFile();
                moveToOverflow(memory);
                if (growingFile() == before || !extend(bytes, memory)) return null;
            }
        }
        Region region = new Region(spare.origin + spareOffset, spare.store);
        lastOffset = length - spareBytes;
        spareOffset += bytes;
        spareBytes -= bytes;
        if (head == null) head = region;
        return region;
    }

    private boolean extend(long bytes, Memory memory) throws ClosedByInterruptException {
        try (RandomAccessFile file = new RandomAccessFile(growingFile().toFile(), "rw")) {
            allocate(file, bytes);
            FileChannel channel = file.getChannel();
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, length, bytes);
            spare = memory.region(map);
            spareOffset = 0;
            spareBytes = bytes;
            length += bytes;
            return true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            truncate();
            return false;
        }
    }

    /** A thread for one call, which nobody interrupts. Probes on it do nothing. */
    static final class Helper extends Thread {
        private static final long TIMEOUT_NANOS = 10_000_000_000L;

        private final SessionFile file;
        private final long bytes;
        private final Memory memory;
        /** Written by the helper before {@code done}. */
        private Region region;
        /** Set by the helper at its end. */
        private volatile boolean done;

        private Helper(SessionFile file, long bytes, Memory memory) {
            super("jfathom-helper");
            this.file = file;
            this.bytes = bytes;
            this.memory = memory;
        }

        /**
         * A helper that is done, or has taken too long: it may wait for a lock that the caller
         * holds, or for a disk.
         */
        static Helper grow(SessionFile file, long bytes, Memory memory) {
            Helper helper = new Helper(file, bytes, memory);
            helper.setDaemon(true);
            helper.start();
            long begun = System.nanoTime();
            // Not join: it would throw for a caller that is interrupted.
            while (!helper.done && System.nanoTime() - begun < TIMEOUT_NANOS) Thread.yield();
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

    private void allocate(RandomAccessFile file, long bytes) throws IOException {
        byte[] zeros = new byte[(int) Math.min(bytes, ZEROS)];
        file.seek(length);
        for (long left = bytes; left > 0; left -= zeros.length) {
            file.write(zeros, 0, (int) Math.min(left, zeros.length));
        }
    }

    /** Cuts off an area that did not fit. Nothing beyond {@code length} is mapped. */
    private void truncate() {
        try (RandomAccessFile file = new RandomAccessFile(growingFile().toFile(), "rw")) {
            file.setLength(length);
        } catch (IOException e) {
            // The space stays allocated.
        }
    }

    /** Removes the file if no session could be opened. */
    void delete() {
        try {
            Files.deleteIfExists(path);
            if (overflow != null) Files.deleteIfExists(overflow);
        } catch (IOException e) {
            // The collector removes the directory.
        }
    }
}
