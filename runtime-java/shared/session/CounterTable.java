package jfathom.runtime;

import java.util.Arrays;

/**
 * Where a thread that is inside finds its counters, by the low bits of its number: all that {@link
 * Memory#count} reads. Apart from {@link ThreadTable#SLOTS}, so that no object is looked into.
 *
 * <p>A slot belongs to one thread recorder: the one at home there. Its thread alone writes the row.
 * It opens the row when it comes inside, and closes it while the slow path works. A thread whose
 * number is not in its row counts out of line.
 *
 * <p>Offsets count from the place of a block's first counter. Where the id is a constant, as in
 * compiled code, so are they.
 */
final class CounterTable {
    /** Ids of one own block of a thread: 256 KiB of counters, as much as a quarter of a ring. */
    static final int BLOCK_SHIFT = Layout.CHUNK_SHIFT + 6;

    static final int BLOCK_IDS = 1 << BLOCK_SHIFT;
    static final int BLOCK_CHUNKS = BLOCK_IDS >> Layout.CHUNK_SHIFT;
    /** Own blocks that hold the counters of all known ids. */
    static final int BLOCKS = (SessionData.current.known + BLOCK_IDS - 1) >> BLOCK_SHIFT;

    /** A group mark is that of so many ids. */
    static final int GROUP_SHIFT = 10;
    static final int BLOCK_GROUPS = BLOCK_IDS >> GROUP_SHIFT;
    /** A line mark is that of so many ids, whose counters share a cache line. */
    static final int LINE_SHIFT = 3;

    static final int LINE_IDS = 1 << LINE_SHIFT;
    /** Offset of the marks of a block's groups, behind the owners of its chunks. */
    static final int GROUPS =
            Layout.COUNTERS_OWNERS + 8 * BLOCK_CHUNKS - Layout.COUNTERS_HEADER_BYTES;
    /** Offset of the marks of a block's lines. */
    static final int LINES = 1024 - Layout.COUNTERS_HEADER_BYTES;
    /** Offset in a thread's first block of the places of its other ones, 0 where there is none. */
    static final int BASES = LINES + (BLOCK_IDS >> LINE_SHIFT);

    private static final int WITHIN = BLOCK_IDS - 1;

    /** The row of threads that have none. Nobody reads it. */
    static final int NO_ROW = Session.TABLE_MASK + 1 << 1;
    /**
     * In place of a thread's number in a closed row. No thread has it, not even one that the JVM is
     * still making, whose number is 0.
     */
    static final long CLOSED = -1;
    /**
     * Two words for each slot: the number of the thread that may count, and the place of its first
     * counter. Plain: only a thread that reads its own number goes on, and it has written both.
     */
    static final long[] ROWS = new long[NO_ROW + 2];
    /** The stores of the blocks of a slot's thread, where places are no addresses; else empty. */
    static final Object[][] STORES =
            new Object[Session.MEMORY.hasAddresses() ? 0 : Session.TABLE_MASK + 1][];

    static {
        Arrays.fill(ROWS, CLOSED);
    }

    private CounterTable() {}

    /** Whether threads can have the id's counter in a block of their own. */
    static boolean has(int id) {
        return id >= 0
                && (id < Session.KNOWN || id >= Session.CALIBRATION_IDS && id < Session.IDS);
    }

    /** The block of the id, if it {@link #isBehind}. */
    static int block(int id) {
        return id >> BLOCK_SHIFT;
    }

    /** Whether the id's block is not the first one. Calibration has one only. */
    static boolean isBehind(int id) {
        return id >= BLOCK_IDS && id < Session.CALIBRATION_IDS;
    }

    /** Offset in the first block of the place of the id's block. */
    static int nextBase(int id) {
        return BASES + (id >> BLOCK_SHIFT << 3);
    }

    static int group(int id) {
        return GROUPS + ((id & WITHIN) >> GROUP_SHIFT);
    }

    static int line(int id) {
        return LINES + ((id & WITHIN) >> LINE_SHIFT);
    }

    static int counter(int id) {
        return (id & WITHIN) << 3;
    }

    /** Closes all rows. No thread may be in the runtime. */
    static void reset() {
        Arrays.fill(ROWS, CLOSED);
        Arrays.fill(STORES, null);
    }
}
