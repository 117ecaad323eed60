package jfathom.runtime;

/**
 * The COUNTED records: how often a thread has called which counted methods since the record before.
 * Two methods with few calls share a record.
 *
 * <p>{@link Counters} has the marks by which the counters are found. A counter is set to zero after
 * its record is in the ring, with the number of the record beside the zero. So if the JVM is killed
 * in between, the consumer knows that the calls were recorded. Marks go last, and come back where a
 * record was not written: what has one is looked at again.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}: none of it belongs into the program's
 * compiled code.
 */
@SuppressWarnings("serial")
final class CountedCalls extends Throwable {
    private static final int STEP = Layout.RECORD_BYTES;
    private static final long CALLS = (1L << Layout.COUNTER_TAG_SHIFT) - 1;
    private static final long TAG = (1L << 64 - Layout.COUNTER_TAG_SHIFT) - 1;
    /** Most calls in a record of one method, and in one of two. */
    private static final long MOST = (1L << Layout.ESCAPE_ID_SHIFT) - 1;

    private static final long FEW = (1L << Layout.COUNTED_PAIR_BITS) - 1;
    private static final int ID_MASK = (1 << Layout.ID_BITS) - 1;
    /** Bytes of the marks of the chunks with a {@link ThreadRecorder#direct}, in whole words. */
    private static final int MARKS = Counters.DIRECT_CHUNKS + 7 & ~7;

    /** Where a record may go: where the fast path can put it, where there is room, after a wait. */
    private static final int FAST = 0;

    private static final int NOW = 1;
    private static final int WAIT = 2;

    private CountedCalls() {}

    /**
     * Writes the records where the fast path can. False if some are left.
     */
    static boolean write(ThreadRecorder recorder) {
        if (!isAny(recorder)) return true;
        // A thread that takes over a mode epoch says so first.
        return Session.MEMORY.epoch() == recorder.epoch && write(recorder, FAST);
    }

    /**
     * Writes all records, after waits if need be. False if it could not: then the calls stay in the
     * counters.
     */
    static boolean writeAll(ThreadRecorder recorder) {
        return !isAny(recorder) || write(recorder, WAIT);
    }

    /** The same without a wait. */
    static void writeNow(ThreadRecorder recorder) {
        if (isAny(recorder)) write(recorder, NOW);
    }

    private static boolean isAny(ThreadRecorder recorder) {
        return recorder.hasChunkCalls || recorder.direct != 0 && hasDirect(recorder);
    }

    private static boolean hasDirect(ThreadRecorder recorder) {
        long marks = recorder.marks + recorder.firstChunk;
        for (int at = 0; at < MARKS; at += 8) {
            if (Session.MEMORY.counter(recorder.directStore, marks + at) != 0) return true;
        }
        return false;
    }

    private static boolean write(ThreadRecorder recorder, int how) {
        recorder.few = 0;
        try {
            boolean done = writeDirect(recorder, how) && writeChunks(recorder, how);
            return writeFew(recorder, how) && done;
        } finally {
            // Its calls stay in the counter, whose marks are gone.
            if (recorder.few != 0) markAgain(recorder);
        }
    }

    /** Writes the record that no other method shares, if there is one. */
    private static boolean writeFew(ThreadRecorder recorder, int how) {
        if (recorder.few == 0) return true;
        if (!hasRoom(recorder, how)) return false;
        put(recorder, recorder.few, 0);
        recorder.few = 0;
        return true;
    }

    private static boolean writeDirect(ThreadRecorder recorder, int how) {
        if (recorder.direct == 0) return true;
        Object store = recorder.directStore;
        int first = recorder.firstChunk;
        for (int chunk = first; chunk < first + MARKS; chunk++) {
            long mark = recorder.marks + chunk;
            if (Session.MEMORY.mark(store, mark) == 0) continue;
            long lines = recorder.lines + (long) chunk * Counters.CHUNK_LINES;
            long counters = recorder.direct + (long) chunk * Layout.CHUNK_BYTES;
            if (!writeChunk(recorder, how, chunk, store, lines, counters)) return false;
            Session.MEMORY.setMark(store, mark, (byte) 0);
        }
        return true;
    }

    private static boolean writeChunks(ThreadRecorder recorder, int how) {
        if (!recorder.hasChunkCalls) return true;
        Ring ring = recorder.ring;
        for (int chunk = 0; ring != null && chunk < ring.chunks.length; chunk++) {
            Region block = ring.blocks[chunk];
            if (block == null || Session.MEMORY.mark(block.store, ring.marks[chunk]) == 0) continue;
            long counters = ring.chunks[chunk];
            if (!writeChunk(recorder, how, chunk, block.store, ring.lines[chunk], counters)) {
                return false;
            }
            Session.MEMORY.setMark(block.store, ring.marks[chunk], (byte) 0);
        }
        recorder.hasChunkCalls = false;
        return true;
    }

    /** Writes the records of a chunk. {@code counters} is the place of its first counter. */
    private static boolean writeChunk(
            ThreadRecorder recorder, int how, int chunk, Object store, long lines, long counters) {
        for (int word = 0; word < Counters.CHUNK_LINES; word += 8) {
            if (Session.MEMORY.counter(store, lines + word) == 0) continue;
            for (int line = word; line < word + 8; line++) {
                if (Session.MEMORY.mark(store, lines + line) == 0) continue;
                int id = (chunk << Layout.CHUNK_SHIFT) + (line << Counters.LINE_SHIFT);
                if (!writeLine(recorder, how, id, store, counters + ((long) line << 6))) {
                    return false;
                }
                Session.MEMORY.setMark(store, lines + line, (byte) 0);
            }
        }
        return true;
    }

    private static boolean writeLine(
            ThreadRecorder recorder, int how, int first, Object store, long counters) {
        for (int at = 0; at < Counters.LINE_IDS; at++) {
            long calls = Session.MEMORY.counter(store, counters + 8L * at) & CALLS;
            if (calls != 0 && !write(recorder, how, first + at, calls)) return false;
        }
        return true;
    }

    /** Writes a method's record, or keeps it in {@link ThreadRecorder#few} for another to share. */
    private static boolean write(ThreadRecorder recorder, int how, int id, long calls) {
        long head = (long) id << Layout.ESCAPE_ID_SHIFT;
        long few = recorder.few;
        if (calls <= FEW && few == 0) {
            recorder.few = Layout.ESCAPE_COUNTED | head | calls;
            return true;
        }
        if (!hasRoom(recorder, how)) return false;
        if (calls <= FEW) {
            long pair = few & (long) ID_MASK << Layout.ESCAPE_ID_SHIFT;
            pair |= (few & FEW) << Layout.COUNTED_PAIR_SHIFT;
            pair |= (long) id << Layout.COUNTED_PAIR_BITS | calls;
            put(recorder, Layout.ESCAPE_COUNTED_PAIR | pair, 0);
            recorder.few = 0;
            return true;
        }
        long most = Math.min(calls, MOST);
        put(recorder, Layout.ESCAPE_COUNTED | head | most, calls - most);
        return calls == most || write(recorder, how, id, calls - most);
    }

    private static boolean hasRoom(ThreadRecorder recorder, int how) {
        if (how == FAST) return recorder.next + STEP < recorder.limit;
        return how == NOW ? FlowControl.hasRoom(recorder, 1) : SlowPath.makeRoom(recorder, 1);
    }

    private static boolean isPair(long record) {
        return record >>> Layout.ESCAPE_SHIFT
                == Layout.ESCAPE_COUNTED_PAIR >>> Layout.ESCAPE_SHIFT;
    }

    /**
     * Writes a record into a slot that is free, and sets the counters to zero; that of its first
     * method to {@code left}.
     */
    private static void put(ThreadRecorder recorder, long record, long left) {
        long place = recorder.next;
        long number = recorder.countedRecords + 1 & TAG;
        try {
            Session.MEMORY.put(recorder, place, record);
            recorder.next = place + STEP;
            recorder.countedRecords = number;
            clear(recorder, record, number, left);
        } catch (Throwable e) {
            // As in RecordWriter.write. All of this can be done twice.
            if (SlowPath.isStored(recorder, place)) {
                recorder.next = place + STEP;
                recorder.countedRecords = number;
                clear(recorder, record, number, left);
            }
            throw SlowPath.<RuntimeException>unchecked(e);
        }
    }

    private static void clear(ThreadRecorder recorder, long record, long number, long left) {
        long tag = number << Layout.COUNTER_TAG_SHIFT;
        set(recorder, (int) (record >>> Layout.ESCAPE_ID_SHIFT) & ID_MASK, tag | left);
        if (isPair(record)) {
            set(recorder, (int) (record >>> Layout.COUNTED_PAIR_BITS) & ID_MASK, tag);
        }
    }

    private static void set(ThreadRecorder recorder, int id, long counter) {
        Session.MEMORY.setCounter(
                Counters.store(recorder, id), Counters.place(recorder, id), counter);
    }

    private static void markAgain(ThreadRecorder recorder) {
        int id = (int) (recorder.few >>> Layout.ESCAPE_ID_SHIFT) & ID_MASK;
        if (Counters.isDirect(recorder, id)) recorder.markDirect(id);
        else recorder.markInChunk(id);
    }
}
