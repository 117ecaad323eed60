package jfathom.runtime;

/**
 * The counter blocks of the session file. Everything is given out under {@link ThreadTable#LOCK},
 * which guards all fields.
 */
final class Counters {
    /** Chunks that hold the counters of all known ids. */
    private static final int KNOWN_CHUNKS =
            Session.KNOWN + (1 << Layout.CHUNK_SHIFT) - 1 >> Layout.CHUNK_SHIFT;

    /** The newest block that gives single chunks, its chunks, and how many were given out. */
    private static Region block;

    private static int chunks;
    private static int given;
    /** File offset of the newest block. */
    private static long newest;
    /** Whether the session file had no space for a block of one chunk. */
    private static boolean full;

    private Counters() {}

    /** Gives the ring the chunk of this number, which it does not have. False without space. */
    static boolean give(Ring ring, int number) {
        if (number < KNOWN_CHUNKS && giveOwn(ring, number / CounterTable.BLOCK_CHUNKS)) return true;
        if (given == chunks && !grow()) return false;
        giveFrom(block, given++, ring, number);
        return true;
    }

    /**
     * Gives the ring its own block of this number. False if it has one of its chunks, or has not
     * the first block, or without space. The first one is given with the ring: most threads count,
     * and the first one to do so may meet a full heap.
     */
    static boolean giveOwn(Ring ring, int number) {
        ThreadCounters counters = ring.counters;
        int first = number * CounterTable.BLOCK_CHUNKS;
        int count = Math.min(KNOWN_CHUNKS - first, CounterTable.BLOCK_CHUNKS);
        if (count <= 0 || number > 0 && counters.base == 0) return false;
        for (int chunk = first; chunk < first + count; chunk++) {
            if (counters.has(chunk)) return false;
        }
        // As much as a quarter of a usual ring: with smaller rings, single chunks must do.
        if (Space.share(Rings.used()) < (long) count * Layout.CHUNK_BYTES) return false;
        Region made = make(count);
        if (made == null) return false;
        for (int place = count - 1; place >= 0; place--) giveFrom(made, place, ring, first + place);
        counters.addOwn(number, made);
        if (number == 0) touch(counters);
        return true;
    }

    /** Has the JVM link the accesses of counters and marks: on a full heap it could not. */
    private static void touch(ThreadCounters counters) {
        Object store = counters.store(0);
        Memory memory = Session.MEMORY;
        memory.setCounter(store, counters.base, memory.counter(store, counters.base));
        memory.setMark(store, counters.lines(0), (byte) 0);
    }

    /** Makes the chunk at {@code place} of the block the ring's chunk {@code number}. */
    private static void giveFrom(Region from, int place, Ring ring, int number) {
        ring.counters.add(number, from, place);
        long owner = (ring.index + 1L) << 32 | number;
        Session.MEMORY.putLong(from, Layout.COUNTERS_OWNERS + 8L * place, owner);
    }

    /** Forgets all blocks, of which none may be in use. */
    static void reset() {
        synchronized (ThreadTable.LOCK) {
            block = null;
            chunks = 0;
            given = 0;
            newest = 0;
            full = false;
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
        Region made = Variant.HOST.grow(SessionData.aligned(bytes), Session.MEMORY);
        if (made == null) return null;
        Session.MEMORY.putLong(made, Layout.COUNTERS_NEXT, newest);
        Session.MEMORY.putInt(made, Layout.COUNTERS_CHUNKS, chunks);
        newest = Variant.HOST.lastOffset();
        Session.MEMORY.putLong(Session.HEAD, Layout.HEADER_COUNTERS, newest);
        return made;
    }
}
