package jfathom.runtime;

import java.util.Arrays;

/**
 * The counters of a thread, in counter blocks. Those of {@link CounterTable#BLOCK_IDS} ids that
 * follow each other have a block of their own. Where there is no space for that, the thread has
 * single chunks, in blocks that threads share.
 *
 * <p>Marks say where calls without a record are: in an own block one for each group and one for
 * each line, in a single chunk one for each line. They are set before the call is counted, so that
 * no counted call is without. They lie in the block's header, for which the reader of the session
 * file has no use.
 *
 * <p>Arrays are replaced under {@link ThreadTable#LOCK}, by the thread itself or before it has
 * them.
 */
final class ThreadCounters {
    /** Line marks of a chunk. */
    static final int CHUNK_LINES = 1 << Layout.CHUNK_SHIFT - CounterTable.LINE_SHIFT;
    /** Mask of a counter's number in its chunk. */
    private static final int WITHIN = (1 << Layout.CHUNK_SHIFT) - 1;

    private static final Region[] NONE = {};

    /** The blocks that hold the chunks, by the chunk's number; null where there is none. */
    Region[] chunks = NONE;
    /** The chunks' places in their blocks. */
    int[] places = {};
    /** The own blocks by number; null where there is none. */
    private Region[] own = new Region[CounterTable.BLOCKS];
    /** The own blocks that are there, and their numbers: few, where ids are many. */
    Region[] given = NONE;
    int[] numbers = {};
    /** The stores of the own blocks, for memories that need them. */
    final Object[] stores = new Object[CounterTable.BLOCKS];
    /** Place of the first counter in the first own block; 0 without it: nothing counts in place. */
    long base;
    /** Whether calls in single chunks may wait for a record. */
    boolean hasSingleCalls;

    boolean has(int chunk) {
        return chunk < chunks.length && chunks[chunk] != null;
    }

    /** Adds the chunk of this number, at a place of a block. */
    void add(int chunk, Region block, int place) {
        if (chunks.length <= chunk) {
            chunks = Arrays.copyOf(chunks, chunk + 1);
            places = Arrays.copyOf(places, chunk + 1);
        }
        chunks[chunk] = block;
        places[chunk] = place;
    }

    /** Makes a block the own one of this number. Its chunks are added apart. */
    void addOwn(int number, Region block) {
        // First: the heap may be full, and then the chunks are single ones.
        list(number, block);
        own[number] = block;
        stores[number] = block.store;
        if (number == 0) base = first(block);
        else Session.MEMORY.setCounter(own[0].store, base + baseOf(number), first(block));
    }

    /** Makes a block the only one: that of calibration's ids. */
    void addAlone(int number, Region block) {
        own = Arrays.copyOf(own, Math.max(own.length, number + 1));
        list(number, block);
        own[number] = block;
        stores[0] = block.store;
        base = first(block);
    }

    private void list(int number, Region block) {
        int count = given.length;
        numbers = Arrays.copyOf(numbers, count + 1);
        numbers[count] = number;
        given = Arrays.copyOf(given, count + 1);
        given[count] = block;
    }

    private static long baseOf(int number) {
        return CounterTable.BASES + ((long) number << 3);
    }

    /** Place of a block's first counter. */
    static long first(Region block) {
        return block.origin + Layout.COUNTERS_HEADER_BYTES;
    }

    /** Place of the id's counter in a chunk that is there. */
    long place(int id) {
        int chunk = id >> Layout.CHUNK_SHIFT;
        long start = (long) places[chunk] * Layout.CHUNK_BYTES;
        return first(chunks[chunk]) + start + ((long) (id & WITHIN) << 3);
    }

    /** What {@link Memory#counter} needs beside that place. */
    Object store(int id) {
        return chunks[id >> Layout.CHUNK_SHIFT].store;
    }

    /** Whether the chunk is one of an own block. */
    boolean isOwn(int chunk) {
        int number = chunk / CounterTable.BLOCK_CHUNKS;
        return number < own.length && own[number] != null;
    }

    /** Place of the first line mark of a chunk. */
    long lines(int chunk) {
        return first(chunks[chunk]) + CounterTable.LINES + (long) places[chunk] * CHUNK_LINES;
    }

    /** Counts a call. False if the id's chunk is not there. */
    boolean count(int id) {
        if (!has(id >> Layout.CHUNK_SHIFT)) return false;
        mark(id);
        Object store = store(id);
        long place = place(id);
        Session.MEMORY.setCounter(store, place, Session.MEMORY.counter(store, place) + 1);
        return true;
    }

    /** Says that the id's counter has calls without a record. */
    void mark(int id) {
        int chunk = id >> Layout.CHUNK_SHIFT;
        Object store = store(id);
        if (isOwn(chunk)) {
            long group = first(chunks[chunk]) + CounterTable.group(id);
            Session.MEMORY.setMark(store, group, (byte) 1);
        } else {
            hasSingleCalls = true;
        }
        long line = lines(chunk) + ((id & WITHIN) >> CounterTable.LINE_SHIFT);
        Session.MEMORY.setMark(store, line, (byte) 1);
    }

    /** Whether calls may wait for a record. */
    boolean hasCalls() {
        for (Region block : given) {
            if (hasCalls(block)) return true;
        }
        return hasSingleCalls;
    }

    private static boolean hasCalls(Region block) {
        long marks = first(block) + CounterTable.GROUPS;
        long all = 0;
        for (int word = 0; word < CounterTable.BLOCK_GROUPS; word += 8) {
            all |= Session.MEMORY.counter(block.store, marks + word);
        }
        return all != 0;
    }

    /** Sets all to zero, between two threads. */
    void clear() {
        Memory memory = Session.MEMORY;
        for (int chunk = 0; chunk < chunks.length; chunk++) {
            Region block = chunks[chunk];
            if (block == null) continue;
            long offset = place(chunk << Layout.CHUNK_SHIFT) - block.origin;
            for (int at = 0; at < Layout.CHUNK_BYTES; at += 8) {
                memory.putLong(block, offset + at, 0);
            }
            long lines = lines(chunk) - block.origin;
            for (int at = 0; at < CHUNK_LINES; at += 8) memory.putLong(block, lines + at, 0);
        }
        for (Region block : given) {
            long marks = first(block) + CounterTable.GROUPS;
            for (int word = 0; word < CounterTable.BLOCK_GROUPS; word += 8) {
                memory.setCounter(block.store, marks + word, 0);
            }
        }
        hasSingleCalls = false;
    }
}
