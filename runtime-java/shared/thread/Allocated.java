package jfathom.runtime;

/**
 * The ALLOCATED records: the bytes that threads allocate on the Java heap. The JVM counts by
 * platform thread; what a virtual thread allocates is its carrier's.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class Allocated extends Throwable {
    private static final int STEP = Layout.RECORD_BYTES;
    private static final long PAYLOAD_MASK = (1L << Layout.ESCAPE_SHIFT) - 1;
    private static final int ID_MASK = (1 << Layout.ID_BITS) - 1;
    private static final int BIT_MASK = (1 << Layout.READING_SHIFT) - 1;

    private Allocated() {}

    /** From here on the recorder of the current thread records what that allocates. */
    static void watch(ThreadRecorder recorder) {
        recorder.heapPlace = AllocatedBytes.place(recorder.owner, recorder.tid);
        recorder.heap.reading = SessionData.current.reading;
        if (recorder.heapPlace != 0) recorder.heap.settle(recorder.heapPlace);
    }

    /**
     * Writes what the thread has allocated since its last record, where the fast path can: before
     * the record of the call that ends here or begins, whose time is not read yet. Not if the call
     * is of a method that does not read; {@code head} is that of its record.
     */
    static void write(ThreadRecorder recorder, long head) {
        if (Session.SELECTED && recorder.heap.reading != 0 && !reads(recorder, head)) return;
        write(recorder);
    }

    /** Whether a call reads. Those on virtual threads do: their carrier soon counts for others. */
    private static boolean reads(ThreadRecorder recorder, long head) {
        if (recorder.activity != recorder.own) return true;
        int id = (int) (head >>> Layout.TIMED_ID_SHIFT) & ID_MASK;
        long word = recorder.heap.reading + ((long) (id >>> Layout.READING_SHIFT) << 2);
        return (Session.MEMORY.getInt(Session.HEAD, word) >>> (id & BIT_MASK) & 1) != 0;
    }

    /** {@link #write(ThreadRecorder, long)} of a call that reads. */
    static void write(ThreadRecorder recorder) {
        long bytes = AllocatedBytes.read(recorder.heapPlace) - recorder.heap.allocated;
        if (bytes > 0) put(recorder, bytes);
    }

    private static void put(ThreadRecorder recorder, long bytes) {
        long place = recorder.next;
        // Without room the slow path writes this, too.
        if (place >= recorder.limit) return;
        long allocated = recorder.heap.allocated + bytes;
        try {
            long record = Layout.ESCAPE_ALLOCATED | bytes & PAYLOAD_MASK;
            Session.MEMORY.put(recorder.store, place, record);
            recorder.next = place + STEP;
            recorder.heap.allocated = allocated;
        } catch (Throwable e) {
            // As in RecordWriter.write.
            if (RingWriter.isStored(recorder, place)) {
                recorder.next = place + STEP;
                recorder.heap.allocated = allocated;
            }
            throw Errors.<RuntimeException>unchecked(e);
        }
    }

    /**
     * Writes what the thread had allocated when the runtime began to work, after a wait if need be.
     * False if it could not: then a later record has it.
     */
    static boolean writeAll(ThreadRecorder recorder) {
        long bytes = recorder.heap.measured - recorder.heap.allocated;
        if (bytes <= 0) return true;
        if (!RingWriter.makeRoom(recorder, 1)) return false;
        RingWriter.put(recorder, Layout.ESCAPE_ALLOCATED | bytes & PAYLOAD_MASK);
        recorder.heap.allocated = recorder.heap.measured;
        return true;
    }
}
