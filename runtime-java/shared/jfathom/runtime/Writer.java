package jfathom.runtime;

/**
 * The recorder.
 *
 * <p>It must be out of line, and with it the question whether the recorder is the thread's own: inlined into every instrumented
 * method it would use up the compiler's budgets that the program's own code needs. The class is a Throwable because HotSpot's C2
 * inlines no method of such a class into others; there is no other way to say so from outside of java.base. It is never thrown or made.
 */
@SuppressWarnings("serial")
final class Writer extends Throwable {
    private static final long TIME_MASK = (1L << Layout.TIME_BITS) - 1;
    private static final int STEP = Layout.RECORD_BYTES;

    private Writer() {}

    /** An entry where a recorder is in the thread's slot: its own, if it is inside, or another's. */
    static void entry(Recorder it, int id) {
        if (it.inside == Thread.currentThread()) write(it, Layout.ENTRY | (long) id << Layout.TIME_BITS);
        else Slow.innerEntry(Thread.currentThread(), id, Layout.MODE_TIME);
    }

    /** The same, and 0: see {@link #zero}. */
    static int pinnedEntry(Recorder it, int id) {
        if (it.inside == Thread.currentThread()) return zero(write(it, Layout.ENTRY | (long) id << Layout.TIME_BITS));
        Slow.innerEntry(Thread.currentThread(), id, Layout.MODE_TIME);
        return 0;
    }

    /** An entry on a thread that records from its first probe. */
    static void methodEntry(Recorder it, int id) {
        if (it.inside == Thread.currentThread()) write(it, Layout.ENTRY | (long) id << Layout.TIME_BITS);
        else Slow.methodEntry(Thread.currentThread(), id, Layout.MODE_TIME);
    }

    /** The same, and 0. */
    static int pinnedMethodEntry(Recorder it, int id) {
        if (it.inside == Thread.currentThread()) return zero(write(it, Layout.ENTRY | (long) id << Layout.TIME_BITS));
        Slow.methodEntry(Thread.currentThread(), id, Layout.MODE_TIME);
        return 0;
    }

    /** {@link Slow#rootEntry}, and 0. */
    static int pinnedRoot(Thread thread, int id) {
        Slow.rootEntry(thread, id);
        return 0;
    }

    /** An exit, with what {@link #write} takes. */
    static void exit(Recorder it, long head) {
        if (it.inside == Thread.currentThread()) write(it, head);
        else Slow.inner(Thread.currentThread(), head);
    }

    /**
     * 0, computed from a time: what depends on it is not begun before the clock is read, neither by C2, which knows nothing of what
     * is returned from here, nor by the processor. A number times the next one is even.
     */
    private static int zero(long time) {
        return (int) (time * (time + 1)) & 1;
    }

    /** Records {@code head}, which holds type and id, with the time. Gives the time. */
    static long write(Recorder it, long head) {
        long time = Session.now();
        long place = it.next;
        long unusual = time >>> Layout.TIME_BITS ^ it.high | Session.MEMORY.epoch() ^ it.epoch | it.pending;
        if (place < it.limit && unusual == 0) {
            try {
                Session.MEMORY.put(it, place, head | time & TIME_MASK);
                it.next = place + STEP;
            } catch (Throwable e) {
                // Nothing here throws but a Thread.stop or an overflow of the stack in interpreted code.
                throw Slow.<RuntimeException>interrupted(it, place, e);
            }
        } else {
            counted(it, head, time);
        }
        return time;
    }

    /** Where counted calls came before, which may be every time. */
    private static void counted(Recorder it, long head, long time) {
        long place = it.next;
        long unusual = time >>> Layout.TIME_BITS ^ it.high | Session.MEMORY.epoch() ^ it.epoch;
        if (place + STEP < it.limit && unusual == 0 && it.pending != 0) {
            long record = Slow.counted(it);
            try {
                Session.MEMORY.put(it, place, record);
                it.next = place += STEP;
                Session.MEMORY.put(it, place, head | time & TIME_MASK);
                it.next = place + STEP;
            } catch (Throwable e) {
                throw Slow.<RuntimeException>interrupted(it, it.next, e);
            }
        } else {
            Slow.write(it, head, time, 0);
        }
    }
}
