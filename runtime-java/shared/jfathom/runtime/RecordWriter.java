package jfathom.runtime;

/**
 * The recorder.
 *
 * <p>It must be out of line, and with it the question whether the recorder is the thread's own: inlined into every instrumented
 * method it would use up the compiler's budgets that the program's own code needs. The class is a Throwable because HotSpot's C2
 * inlines no method of such a class into others; there is no other way to say so from outside of java.base. It is never thrown or made.
 */
@SuppressWarnings("serial")
final class RecordWriter extends Throwable {
    private static final long TIME_MASK = (1L << Layout.TIME_BITS) - 1;
    private static final int STEP = Layout.RECORD_BYTES;

    private RecordWriter() {}

    /** An entry where a recorder is in the thread's slot: its own, if it is inside, or another's. */
    static void entry(ThreadRecorder recorder, int id) {
        if (recorder.inside == Thread.currentThread()) write(recorder, Layout.ENTRY | (long) id << Layout.TIME_BITS);
        else SlowPath.innerEntry(Thread.currentThread(), id, Layout.MODE_TIME);
    }

    /** The same, and 0: see {@link #zero}. */
    static int pinnedEntry(ThreadRecorder recorder, int id) {
        if (recorder.inside == Thread.currentThread()) return zero(write(recorder, Layout.ENTRY | (long) id << Layout.TIME_BITS));
        SlowPath.innerEntry(Thread.currentThread(), id, Layout.MODE_TIME);
        return 0;
    }

    /** An entry on a thread that records from its first probe. */
    static void methodEntry(ThreadRecorder recorder, int id) {
        if (recorder.inside == Thread.currentThread()) write(recorder, Layout.ENTRY | (long) id << Layout.TIME_BITS);
        else SlowPath.methodEntry(Thread.currentThread(), id, Layout.MODE_TIME);
    }

    /** The same, and 0. */
    static int pinnedMethodEntry(ThreadRecorder recorder, int id) {
        if (recorder.inside == Thread.currentThread()) return zero(write(recorder, Layout.ENTRY | (long) id << Layout.TIME_BITS));
        SlowPath.methodEntry(Thread.currentThread(), id, Layout.MODE_TIME);
        return 0;
    }

    /** {@link SlowPath#rootEntry}, and 0. */
    static int pinnedRoot(Thread thread, int id) {
        SlowPath.rootEntry(thread, id);
        return 0;
    }

    /** An exit, with what {@link #write} takes. */
    static void exit(ThreadRecorder recorder, long head) {
        if (recorder.inside == Thread.currentThread()) write(recorder, head);
        else SlowPath.inner(Thread.currentThread(), head);
    }

    /**
     * 0, computed from a time: what depends on it is not begun before the clock is read, neither by C2, which knows nothing of what
     * is returned from here, nor by the processor. A number times the next one is even.
     */
    private static int zero(long time) {
        return (int) (time * (time + 1)) & 1;
    }

    /** Records {@code head}, which holds type and id, with the time. Gives the time. */
    static long write(ThreadRecorder recorder, long head) {
        long time = Session.now();
        long place = recorder.next;
        long unusual = time >>> Layout.TIME_BITS ^ recorder.high | Session.MEMORY.epoch() ^ recorder.epoch | recorder.pending;
        if (place < recorder.limit && unusual == 0) {
            try {
                Session.MEMORY.put(recorder, place, head | time & TIME_MASK);
                recorder.next = place + STEP;
            } catch (Throwable e) {
                // Nothing here throws but a Thread.stop or an overflow of the stack in interpreted code.
                throw SlowPath.<RuntimeException>interrupted(recorder, place, e);
            }
        } else {
            counted(recorder, head, time);
        }
        return time;
    }

    /** Where counted calls came before, which may be every time. */
    private static void counted(ThreadRecorder recorder, long head, long time) {
        long place = recorder.next;
        long unusual = time >>> Layout.TIME_BITS ^ recorder.high | Session.MEMORY.epoch() ^ recorder.epoch;
        if (place + STEP < recorder.limit && unusual == 0 && recorder.pending != 0) {
            long record = SlowPath.counted(recorder);
            try {
                Session.MEMORY.put(recorder, place, record);
                recorder.next = place += STEP;
                Session.MEMORY.put(recorder, place, head | time & TIME_MASK);
                recorder.next = place + STEP;
            } catch (Throwable e) {
                throw SlowPath.<RuntimeException>interrupted(recorder, recorder.next, e);
            }
        } else {
            SlowPath.write(recorder, head, time, 0);
        }
    }
}
