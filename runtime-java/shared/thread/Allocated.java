package jfathom.runtime;

/**
 * The bytes that threads allocate on the Java heap, and their ALLOCATED records. The JVM counts by
 * platform thread; what a virtual thread allocates is its carrier's.
 *
 * <p>{@link ThreadRecorder#allocated} is the thread's number up to which all bytes have a record or
 * belong to none: those that the runtime itself allocates, and those from outside of roots.
 *
 * <p>Initialised only if a session records them. A Throwable for the same reason as {@link
 * RecordWriter}.
 */
@SuppressWarnings("serial")
final class Allocated extends Throwable {
    private static final int STEP = Layout.RECORD_BYTES;
    private static final long PAYLOAD_MASK = (1L << Layout.ESCAPE_SHIFT) - 1;
    private static final int ID_MASK = (1 << Layout.ID_BITS) - 1;
    private static final int BIT_MASK = (1 << Layout.READING_SHIFT) - 1;
    private static final boolean BY_FIELDS = AllocatedChoice.way == Layout.ALLOCATED_FIELDS;
    private static final long SUM = BY_FIELDS ? AllocatedChoice.fields.allocated : 0;
    private static final long START = BY_FIELDS ? AllocatedChoice.fields.start : 0;
    private static final long TOP = BY_FIELDS ? AllocatedChoice.fields.top : 0;

    private Allocated() {}

    /** What the recorder's owner, which runs this code, has allocated so far. */
    static long read(ThreadRecorder recorder) {
        return BY_FIELDS
                ? VmFields.read(Session.MEMORY, recorder.heapPlace, SUM, START, TOP)
                : ThreadBean.read(recorder.heapPlace);
    }

    /** From here on the recorder of the current thread records what that allocates. */
    static void watch(ThreadRecorder recorder) {
        recorder.heapPlace =
                BY_FIELDS ? Session.MEMORY.javaThread(recorder.owner) : recorder.tid;
        recorder.reading = SessionData.current.reading;
        if (recorder.heapPlace != 0) settle(recorder);
    }

    /** What the thread has allocated so far belongs to no record. */
    static void settle(ThreadRecorder recorder) {
        long now = read(recorder);
        recorder.allocated = now;
        recorder.measured = now;
    }

    /**
     * Writes what the thread has allocated since its last record, where the fast path can: before
     * the record of the call that ends here or begins, whose time is not read yet. Not if the call
     * is of a method that does not read; {@code head} is that of its record.
     */
    static void write(ThreadRecorder recorder, long head) {
        if (Session.SELECTED && recorder.reading != 0 && !reads(recorder, head)) return;
        write(recorder);
    }

    /** Whether a call reads. Those on virtual threads do: their carrier soon counts for others. */
    private static boolean reads(ThreadRecorder recorder, long head) {
        if (recorder.activity != recorder.own) return true;
        int id = (int) (head >>> Layout.TIME_BITS) & ID_MASK;
        long word = recorder.reading + ((long) (id >>> Layout.READING_SHIFT) << 2);
        return (Session.MEMORY.getInt(Session.HEAD, word) >>> (id & BIT_MASK) & 1) != 0;
    }

    /** {@link #write(ThreadRecorder, long)} of a call that reads. */
    static void write(ThreadRecorder recorder) {
        long bytes = read(recorder) - recorder.allocated;
        if (bytes > 0) put(recorder, bytes);
    }

    private static void put(ThreadRecorder recorder, long bytes) {
        long place = recorder.next;
        // A thread that takes over a mode epoch says so first. The slow path then writes this, too.
        if (place >= recorder.limit || Session.MEMORY.epoch() != recorder.epoch) return;
        long allocated = recorder.allocated + bytes;
        try {
            Session.MEMORY.put(recorder.store, place, Layout.ESCAPE_ALLOCATED | bytes & PAYLOAD_MASK);
            recorder.next = place + STEP;
            recorder.allocated = allocated;
        } catch (Throwable e) {
            // As in RecordWriter.write.
            if (SlowPath.isStored(recorder, place)) {
                recorder.next = place + STEP;
                recorder.allocated = allocated;
            }
            throw Errors.<RuntimeException>unchecked(e);
        }
    }

    /** The runtime begins to work on the thread: what it allocates belongs to no record. */
    static void begin(ThreadRecorder recorder) {
        recorder.measured = read(recorder);
    }

    /** The runtime's work ends. */
    static void end(ThreadRecorder recorder) {
        long now = read(recorder);
        recorder.allocated += now - recorder.measured;
        recorder.measured = now;
    }

    /**
     * Writes what the thread had allocated when the runtime began to work, after a wait if need be.
     * False if it could not: then a later record has it.
     */
    static boolean writeAll(ThreadRecorder recorder) {
        long bytes = recorder.measured - recorder.allocated;
        if (bytes <= 0) return true;
        if (!SlowPath.makeRoom(recorder, 1)) return false;
        SlowPath.put(recorder, Layout.ESCAPE_ALLOCATED | bytes & PAYLOAD_MASK);
        recorder.allocated = recorder.measured;
        return true;
    }

    /**
     * Another thread's records follow. Whose the bytes since the last record are, nobody knows.
     * They are counted if one of the two is inside.
     */
    static void change(ThreadRecorder recorder, boolean inside) {
        long bytes = read(recorder) - recorder.allocated;
        if (inside && bytes > 0) Session.count(Layout.HEADER_UNATTRIBUTED_BYTES, bytes);
        settle(recorder);
    }
}
