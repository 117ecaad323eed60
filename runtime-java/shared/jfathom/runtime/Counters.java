package jfathom.runtime;

import java.util.Arrays;

/**
 * The counters of counted methods. Rings get them in counter chunks, those of the first ids in one
 * counter block. Everything is given out under {@link Threads#LOCK}, which guards all fields.
 *
 * <p>Marks say where calls without a record are: one for each line of {@link #LINE_IDS} counters,
 * one for each chunk. A thread sets both before it counts, so that no counted call is without. The
 * marks lie in the block, for which the reader of the session file has no use. Those of a block's
 * chunks follow each other, as the counters do.
 */
final class Counters {
    /** A line mark is that of so many ids, whose counters share a cache line. */
    static final int LINE_SHIFT = 3;

    static final int LINE_IDS = 1 << LINE_SHIFT;
    /** Line marks of a chunk. */
    static final int CHUNK_LINES = 1 << Layout.CHUNK_SHIFT - LINE_SHIFT;
    /** Offset in a block of its chunks' marks, behind the owners of {@link #DIRECT_IDS}. */
    private static final int MARKS = 576;
    /** Offset in a block's header of the line marks of at most so many chunks. */
    private static final int LINES = 1024;

    private static final int LINES_MAX = (Layout.COUNTERS_HEADER_BYTES - LINES) / CHUNK_LINES;
    /** Mask of a counter's number in its chunk. */
    static final int WITHIN = (1 << Layout.CHUNK_SHIFT) - 1;

    /**
     * The counters of so many ids follow each other in one block: as much memory as a quarter of a
     * ring.
     */
    static final int DIRECT_IDS = 1 << 15;
    static final int DIRECT_CHUNKS = Session.DIRECT_IDS + WITHIN >> Layout.CHUNK_SHIFT;

    /** The newest block that gives single chunks, its chunks, and how many were given out. */
    private static Region block;
    private static int chunks;
    private static int given;
    /** File offset of the newest block. */
    private static long newest;
    /** Whether the session file had no space for a block of one chunk. */
    private static boolean full;

    private Counters() {}

    /** Whether the counter is at {@link ThreadRecorder#direct}; a constant where the id is one. */
    static boolean isDirect(int id) {
        return id < Session.DIRECT_IDS || id >= Session.CALIBRATION_IDS;
    }

    /**
     * Whether this thread has it there. A ring has single chunks if there was no space for the
     * block; calibration has no ring.
     */
    static boolean isDirect(ThreadRecorder recorder, int id) {
        return isDirect(id) && (recorder.direct != 0 || recorder.ring == null);
    }

    /** Place of the counter in a chunk that the ring has. */
    static long place(ThreadRecorder recorder, int id) {
        long within = (long) (id & WITHIN) << 3;
        return isDirect(recorder, id)
                ? recorder.direct + ((long) id << 3)
                : recorder.ring.chunks[id >> Layout.CHUNK_SHIFT] + within;
    }

    /** What {@link Memory#counter} needs beside that place. */
    static Object store(ThreadRecorder recorder, int id) {
        return isDirect(recorder, id)
                ? recorder.directStore
                : recorder.ring.blocks[id >> Layout.CHUNK_SHIFT].store;
    }

    /** Gives the ring the chunk of this number, which it does not have. False without space. */
    static boolean give(Ring ring, int number) {
        if (ring.direct == 0 && giveDirect(ring) && number < DIRECT_CHUNKS) return true;
        if (given == chunks && !grow()) return false;
        giveFrom(block, given++, chunks, ring, number);
        return true;
    }

    /**
     * Gives the ring a block with the chunks of the first ids. False if it has one of these chunks,
     * or without space. Asked for with the ring: most threads count, and the first one to do so may
     * meet a full heap.
     */
    static boolean giveDirect(Ring ring) {
        for (int number = 0; number < Math.min(ring.chunks.length, DIRECT_CHUNKS); number++) {
            if (ring.chunks[number] != 0) return false;
        }
        // As much as a quarter of a usual ring: with smaller rings, single chunks must do.
        long bytes = (long) DIRECT_CHUNKS * Layout.CHUNK_BYTES;
        if (Space.share(Rings.used()) < bytes) return false;
        Region made = make(DIRECT_CHUNKS);
        if (made == null) return false;
        for (int number = DIRECT_CHUNKS - 1; number >= 0; number--) {
            giveFrom(made, number, DIRECT_CHUNKS, ring, number);
        }
        ring.direct = ring.chunks[0];
        touch(made.store, ring.direct, ring.marks[0]);
        return true;
    }

    /** Has the JVM link the accesses of counters and marks: on a full heap it could not. */
    private static void touch(Object store, long counter, long mark) {
        Memory memory = Session.MEMORY;
        memory.setCounter(store, counter, memory.counter(store, counter));
        memory.setMark(store, mark, memory.mark(store, mark));
    }

    /**
     * Makes the chunk at {@code index} of the block, which has {@code of} chunks, the ring's chunk
     * {@code number}.
     */
    private static void giveFrom(Region from, int index, int of, Ring ring, int number) {
        if (ring.chunks.length <= number) {
            ring.blocks = Arrays.copyOf(ring.blocks, number + 1);
            ring.lines = Arrays.copyOf(ring.lines, number + 1);
            ring.marks = Arrays.copyOf(ring.marks, number + 1);
            ring.chunks = Arrays.copyOf(ring.chunks, number + 1);
        }
        long owner = (ring.index + 1L) << 32 | number;
        Session.MEMORY.putLong(from, Layout.COUNTERS_OWNERS + 8L * index, owner);
        ring.blocks[number] = from;
        ring.lines[number] = from.origin + lines(of) + (long) index * CHUNK_LINES;
        ring.marks[number] = from.origin + MARKS + index;
        ring.chunks[number] =
                from.origin + Layout.COUNTERS_HEADER_BYTES + (long) index * Layout.CHUNK_BYTES;
    }

    /** Offset of the line marks in a block of so many chunks: in its header, or behind them. */
    private static int lines(int chunks) {
        return chunks <= LINES_MAX
                ? LINES
                : Layout.COUNTERS_HEADER_BYTES + chunks * Layout.CHUNK_BYTES;
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
            for (int at = 0; at < Layout.CHUNK_BYTES; at += 8) {
                Session.MEMORY.putLong(block, offset + at, 0);
            }
            long lines = ring.lines[number] - block.origin;
            for (int at = 0; at < CHUNK_LINES; at += 8) {
                Session.MEMORY.putLong(block, lines + at, 0);
            }
            Session.MEMORY.setMark(block.store, ring.marks[number], (byte) 0);
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

    /** Appends a block to the session file. Null without space. */
    private static Region make(int chunks) {
        long bytes = Layout.COUNTERS_HEADER_BYTES + (long) chunks * Layout.CHUNK_BYTES;
        if (chunks > LINES_MAX) bytes += (long) chunks * CHUNK_LINES;
        Region made = Variant.HOST.grow(SessionOpening.aligned(bytes), Session.MEMORY);
        if (made == null) return null;
        Session.MEMORY.putLong(made, Layout.COUNTERS_NEXT, newest);
        Session.MEMORY.putInt(made, Layout.COUNTERS_CHUNKS, chunks);
        newest = Variant.HOST.lastOffset();
        Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_COUNTERS, newest);
        return made;
    }
}
