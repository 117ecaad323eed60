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

    private Writer() {}

    /** Records {@code head}, which holds type and id, with the time. */
    static void write(Recorder it, long head) {
        long time = Session.now();
        long place = it.next;
        if (place < it.limit && time >>> Layout.TIME_BITS == it.high) {
            try {
                Session.MEMORY.put(it, place, head | time & TIME_MASK);
                it.next = place + Layout.RECORD_BYTES;
            } catch (Throwable e) {
                // Nothing here throws but a Thread.stop or an overflow of the stack in interpreted code.
                throw Slow.<RuntimeException>interrupted(it, place, e);
            }
        } else {
            Slow.write(it, head, time, 0);
        }
    }
}
