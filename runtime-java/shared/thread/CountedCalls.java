package jfathom.runtime;

/**
 * The COUNTED records: how often a thread has called which counted methods since the record before.
 * Two methods with few calls share a record.
 *
 * <p>{@link ThreadCounters} has the marks by which the counters are found. A counter is set to zero
 * after its record is in the ring, with the number of the record beside the zero. So if the JVM is
 * killed in between, the consumer knows that the calls were recorded. Marks go last, and come back
 * where a record was not written: what has one is looked at again.
 *
 * <p>Calls no method of the JDK: it may have a probe, and the recorder is not busy.
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
    /** Line marks of a group. */
    private static final int GROUP_LINES = 1 << CounterTable.GROUP_SHIFT - CounterTable.LINE_SHIFT;

    /** Where a record may go: where the fast path can put it, where there is room, after a wait. */
    private static final int FAST = 0;

    private static final int NOW = 1;
    private static final int WAIT = 2;

    private CountedCalls() {}

    /**
     * Writes the records where the fast path can. False if some are left.
     */
    static boolean write(ThreadRecorder recorder) {
        return !isAny(recorder) || write(recorder, FAST);
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
        return recorder.counters != null && recorder.counters.hasCalls();
    }

    private static boolean write(ThreadRecorder recorder, int how) {
        recorder.counted.few = 0;
        try {
            boolean done = writeOwn(recorder, how) && writeSingle(recorder, how);
            return writeFew(recorder, how) && done;
        } finally {
            // Its calls stay in the counter, whose marks are gone.
            if (recorder.counted.few != 0) recorder.counters.mark(firstId(recorder.counted.few));
        }
    }

    /** Writes the record that no other method shares, if there is one. */
    private static boolean writeFew(ThreadRecorder recorder, int how) {
        if (recorder.counted.few == 0) return true;
        if (!hasRoom(recorder, how)) return false;
        put(recorder, recorder.counted.few, 0);
        recorder.counted.few = 0;
        return true;
    }

    private static boolean writeOwn(ThreadRecorder recorder, int how) {
        Region[] blocks = recorder.counters.given;
        for (int at = 0; at < blocks.length; at++) {
            Region block = blocks[at];
            int number = recorder.counters.numbers[at];
            long marks = ThreadCounters.first(block) + CounterTable.GROUPS;
            for (int word = 0; word < CounterTable.BLOCK_GROUPS; word += 8) {
                long left = Session.MEMORY.counter(block.store, marks + word);
                for (int group = word; left != 0; group++, left >>>= 8) {
                    if ((byte) left == 0) continue;
                    if (!writeGroup(recorder, how, block, number, group)) return false;
                    Session.MEMORY.setMark(block.store, marks + group, (byte) 0);
                }
            }
        }
        return true;
    }

    private static boolean writeGroup(
            ThreadRecorder recorder, int how, Region block, int number, int group) {
        int first = (number << CounterTable.BLOCK_SHIFT) + (group << CounterTable.GROUP_SHIFT);
        long base = ThreadCounters.first(block);
        long lines = base + CounterTable.line(first);
        long place = base + CounterTable.counter(first);
        return writeLines(recorder, how, first, GROUP_LINES, block.store, lines, place);
    }

    private static boolean writeSingle(ThreadRecorder recorder, int how) {
        ThreadCounters counters = recorder.counters;
        if (!counters.hasSingleCalls) return true;
        for (int chunk = 0; chunk < counters.chunks.length; chunk++) {
            if (!counters.has(chunk) || counters.isOwn(chunk)) continue;
            int first = chunk << Layout.CHUNK_SHIFT;
            Object store = counters.store(first);
            long lines = counters.lines(chunk);
            long place = counters.place(first);
            int count = ThreadCounters.CHUNK_LINES;
            if (!writeLines(recorder, how, first, count, store, lines, place)) {
                return false;
            }
        }
        counters.hasSingleCalls = false;
        return true;
    }

    /**
     * Writes the records of so many lines from the id {@code first} on, whose marks and counters
     * begin at these places.
     */
    private static boolean writeLines(
            ThreadRecorder recorder,
            int how,
            int first,
            int count,
            Object store,
            long lines,
            long counters) {
        for (int word = 0; word < count; word += 8) {
            long left = Session.MEMORY.counter(store, lines + word);
            for (int line = word; left != 0; line++, left >>>= 8) {
                if ((byte) left == 0) continue;
                int id = first + (line << CounterTable.LINE_SHIFT);
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
        for (int at = 0; at < CounterTable.LINE_IDS; at++) {
            long calls = Session.MEMORY.counter(store, counters + 8L * at) & CALLS;
            if (calls != 0 && !write(recorder, how, first + at, calls)) return false;
        }
        return true;
    }

    /** Writes a method's record, or keeps it in {@link CountedRecords#few} for another to share. */
    private static boolean write(ThreadRecorder recorder, int how, int id, long calls) {
        long head = (long) id << Layout.ESCAPE_ID_SHIFT;
        long few = recorder.counted.few;
        if (calls <= FEW && few == 0) {
            recorder.counted.few = Layout.ESCAPE_COUNTED | head | calls;
            return true;
        }
        if (!hasRoom(recorder, how)) return false;
        if (calls <= FEW) {
            long pair = few & (long) ID_MASK << Layout.ESCAPE_ID_SHIFT;
            pair |= (few & FEW) << Layout.COUNTED_PAIR_SHIFT;
            pair |= (long) id << Layout.COUNTED_PAIR_BITS | calls;
            put(recorder, Layout.ESCAPE_COUNTED_PAIR | pair, 0);
            recorder.counted.few = 0;
            return true;
        }
        long most = calls < MOST ? calls : MOST;
        put(recorder, Layout.ESCAPE_COUNTED | head | most, calls - most);
        return calls == most || write(recorder, how, id, calls - most);
    }

    private static boolean hasRoom(ThreadRecorder recorder, int how) {
        if (how == FAST) return recorder.next + STEP < recorder.limit;
        return how == NOW ? FlowControl.hasRoom(recorder, 1) : RingWriter.makeRoom(recorder, 1);
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
        long number = recorder.counted.written + 1 & TAG;
        try {
            Session.MEMORY.put(recorder.store, place, record);
            recorder.next = place + STEP;
            recorder.counted.written = number;
            clear(recorder, record, number, left);
        } catch (Throwable e) {
            // As in RecordWriter.write. All of this can be done twice.
            if (RingWriter.isStored(recorder, place)) {
                recorder.next = place + STEP;
                recorder.counted.written = number;
                clear(recorder, record, number, left);
            }
            throw Errors.<RuntimeException>unchecked(e);
        }
    }

    private static void clear(ThreadRecorder recorder, long record, long number, long left) {
        long tag = number << Layout.COUNTER_TAG_SHIFT;
        set(recorder, firstId(record), tag | left);
        if (isPair(record)) {
            set(recorder, (int) (record >>> Layout.COUNTED_PAIR_BITS) & ID_MASK, tag);
        }
    }

    private static void set(ThreadRecorder recorder, int id, long counter) {
        ThreadCounters counters = recorder.counters;
        Session.MEMORY.setCounter(counters.store(id), counters.place(id), counter);
    }

    /** The first id of a record. */
    private static int firstId(long record) {
        return (int) (record >>> Layout.ESCAPE_ID_SHIFT) & ID_MASK;
    }
}
