package jfathom.runtime;

import java.util.Arrays;

/** Counters of threads for methods that are only counted: given to rings in chunks. All under {@link Threads#LOCK}. */
final class Counters {
    /** Mask of a counter's number in its chunk. */
    static final int WITHIN = (1 << Layout.CHUNK_SHIFT) - 1;

    /** The newest block, its chunks, and how many of them are given out. */
    private static Region block;
    private static int chunks;
    private static int given;
    private static long newest;
    private static boolean full;

    private Counters() {}

    /** Gives the ring the chunk with this number, which it does not have; false if there is no space. */
    static boolean give(Ring ring, int number) {
        if (given == chunks && !grow()) return false;
        if (ring.chunks.length <= number) {
            ring.blocks = Arrays.copyOf(ring.blocks, number + 1);
            ring.chunks = Arrays.copyOf(ring.chunks, number + 1);
        }
        long offset = Layout.COUNTERS_HEADER_BYTES + (long) given * Layout.CHUNK_BYTES;
        long owner = (ring.index + 1L) << 32 | number;
        Session.MEMORY.putLong(block, Layout.COUNTERS_OWNERS + 8L * given, owner);
        given++;
        ring.blocks[number] = block;
        ring.chunks[number] = block.origin + offset;
        return true;
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
            long bytes = Layout.COUNTERS_HEADER_BYTES + (long) count * Layout.CHUNK_BYTES;
            Region made = Start.opening.file.grow(bytes, Session.MEMORY);
            if (made != null) {
                Session.MEMORY.putLong(made, Layout.COUNTERS_NEXT, newest);
                Session.MEMORY.putInt(made, Layout.COUNTERS_CHUNKS, count);
                newest = Start.opening.file.lastOffset();
                Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_COUNTERS, newest);
                block = made;
                chunks = count;
                given = 0;
                return true;
            }
            full = count == 1;
        }
        return false;
    }
}
