package jfathom.runtime;

/**
 * The recorder.
 *
 * <p>It must be out of line: inlined into every instrumented method it would use up the compiler's budgets that the
 * program's own code needs. The class is a Throwable because HotSpot's C2 inlines no method of such a class into others;
 * there is no other way to say so from outside of java.base. It is never thrown or made.
 */
@SuppressWarnings("serial")
final class Writer extends Throwable {
    private static final long TIME_MASK = (1L << Layout.TIME_BITS) - 1;
    private static final int STEP = Layout.RECORD_BYTES;

    private Writer() {}

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

    /**
     * The same, and 0, computed from the time: what depends on it is not begun before the clock is read, neither by C2,
     * which knows nothing of what is returned from here, nor by the processor. A number times the next one is even.
     */
    static int pinned(Recorder it, long head) {
        long time = write(it, head);
        return (int) (time * (time + 1)) & 1;
    }

    /** {@link Slow#rootEntry}, and 0. */
    static int pinnedRoot(Thread thread, int id) {
        Slow.rootEntry(thread, id);
        return 0;
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
