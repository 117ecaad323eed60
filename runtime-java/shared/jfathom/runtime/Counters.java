package jfathom.runtime;

import java.util.Arrays;

/**
 * Counters of threads for methods that are only counted: given to rings in chunks, those of the first ids all at once. All that is
 * given is so under {@link Threads#LOCK}.
 */
final class Counters {
    /** Mask of a counter's number in its chunk. */
    static final int WITHIN = (1 << Layout.CHUNK_SHIFT) - 1;

    /** The counters of so many ids a ring gets in one block, where they follow each other: as much memory as a quarter of a ring. */
    static final int DIRECT_IDS = 1 << 15;
    private static final int DIRECT_CHUNKS = Session.DIRECT_IDS + WITHIN >> Layout.CHUNK_SHIFT;

    /** The newest block of which rings get single chunks, its chunks, and how many of them are given out. */
    private static Region block;
    private static int chunks;
    private static int given;
    private static long newest;
    private static boolean full;

    private Counters() {}

    /** Whether a method's counter is at {@link ThreadRecorder#direct}; a constant where the id is one. */
    static boolean direct(int id) {
        return id < Session.DIRECT_IDS || id >= Session.SPARE_IDS;
    }

    /** Gives the ring the chunk with this number, which it does not have; false if there is no space. */
    static boolean give(Ring ring, int number) {
        if (ring.direct == 0 && giveDirect(ring) && number < DIRECT_CHUNKS) return true;
        if (given == chunks && !grow()) return false;
        give(ring, number, block, given++);
        return true;
    }

    /** Gives it a block with the chunks of the first ids, if it has none of them; false if there is no space. */
    private static boolean giveDirect(Ring ring) {
        for (int number = 0; number < Math.min(ring.chunks.length, DIRECT_CHUNKS); number++) {
            if (ring.chunks[number] != 0) return false;
        }
        // As much as a quarter of a usual ring: where rings are smaller, single chunks must do.
        if (Space.share(Rings.used()) < (long) DIRECT_CHUNKS * Layout.CHUNK_BYTES) return false;
        Region made = make(DIRECT_CHUNKS);
        if (made == null) return false;
        for (int number = DIRECT_CHUNKS - 1; number >= 0; number--) give(ring, number, made, number);
        ring.direct = ring.chunks[0];
        return true;
    }

    private static void give(Ring ring, int number, Region from, int place) {
        if (ring.chunks.length <= number) {
            ring.blocks = Arrays.copyOf(ring.blocks, number + 1);
            ring.chunks = Arrays.copyOf(ring.chunks, number + 1);
        }
        long owner = (ring.index + 1L) << 32 | number;
        Session.MEMORY.putLong(from, Layout.COUNTERS_OWNERS + 8L * place, owner);
        ring.blocks[number] = from;
        ring.chunks[number] = from.origin + Layout.COUNTERS_HEADER_BYTES + (long) place * Layout.CHUNK_BYTES;
    }

    /** Forgets all blocks, of which none may be in use. */
    static void reset() {
        synchronized (Threads.LOCK) {
            block = null;
            chunks = 0;
            given = 0;
            newest = 0;
            full = false;
        }
    }

    /** Sets the ring's counters to zero, between two threads. */
    static void clear(Ring ring) {
        for (int number = 0; number < ring.chunks.length; number++) {
            Region block = ring.blocks[number];
            if (block == null) continue;
            long offset = ring.chunks[number] - block.origin;
            for (int at = 0; at < Layout.CHUNK_BYTES; at += 8) Session.MEMORY.putLong(block, offset + at, 0);
        }
    }

    private static boolean grow() {
        for (int count = Layout.COUNTERS_CHUNKS_DEFAULT; !full; count = 1) {
            Region made = make(count);
            if (made != null) {
                block = made;
                chunks = count;
                given = 0;
                return true;
            }
            full = count == 1;
        }
        return false;
    }

    /** Appends a block to the session file; null if there is no space. */
    private static Region make(int chunks) {
        long bytes = Layout.COUNTERS_HEADER_BYTES + (long) chunks * Layout.CHUNK_BYTES;
        Region made = Start.opening.file.grow(bytes, Session.MEMORY);
        if (made == null) return null;
        Session.MEMORY.putLong(made, Layout.COUNTERS_NEXT, newest);
        Session.MEMORY.putInt(made, Layout.COUNTERS_CHUNKS, chunks);
        newest = Start.opening.file.lastOffset();
        Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_COUNTERS, newest);
        return made;
    }
}
