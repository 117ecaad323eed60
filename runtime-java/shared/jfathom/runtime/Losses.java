package jfathom.runtime;

/**
 * Records that cannot be taken: counted by their reason, and left out so that those before and after them still fit together.
 *
 * <p>A call whose entry is not taken is left out with all that it calls. Of a call that was recorded the exit is owed: it goes, with its
 * own time, before the next record that is taken.
 */
final class Losses {
    /** Not taken records are added to the header in portions of this size, so that threads do not fight for the word. */
    private static final int PORTION = 64;

    private Losses() {}

    /** Records, or leaves out; false if the record is lost. */
    static boolean record(Recorder it, long head, long time, int shift) {
        int opens = opens(head);
        if (it.unrecorded > 0) {
            it.unrecorded += opens;
            return false;
        }
        if (Slow.timed(it, head, time, shift)) return true;
        // There may be room for less than was wanted: the fast way must not take the next record.
        it.open = it.next;
        if (it.ring == null) return false;
        if (opens > 0) {
            it.unrecorded = 1;
            return false;
        }
        boolean another = it.owed != 0;
        it.owed = head;
        it.owedTime = time;
        it.owedShift = shift;
        return !another;
    }

    /** What the record does to the number of open calls and tasks. */
    private static int opens(long head) {
        int type = (int) (head >>> Layout.TYPE_SHIFT);
        if (type == Layout.TYPE_ENTRY) return 1;
        if (type == Layout.TYPE_RETURN || type == Layout.TYPE_THROW) return -1;
        long escape = head >>> Layout.ESCAPE_SHIFT << Layout.ESCAPE_SHIFT;
        return escape == Layout.ESCAPE_TASK_OPEN ? 1 : escape == Layout.ESCAPE_TASK_CLOSE ? -1 : 0;
    }

    /** Counts a record that is lost. */
    static void lose(Recorder it) {
        int counter = counter(it);
        if (it.lostTo != counter) flush(it);
        it.lostTo = counter;
        if (++it.lost >= PORTION) flush(it);
    }

    private static int counter(Recorder it) {
        if (Flow.gone) return Layout.HEADER_LOST_RECORDS;
        return it.ring == null ? Layout.HEADER_LOST_RINGLESS : Layout.HEADER_LOST_WAITING;
    }

    /** Adds what a thread could not record to the header. */
    static void flush(Recorder it) {
        add(it.lostTo, it.lost);
        it.lost = 0;
        add(Layout.HEADER_LOST_OVERFLOW, it.overflows);
        it.overflows = 0;
    }

    private static void add(int counter, long lost) {
        if (lost != 0) Session.count(counter, lost);
    }
}
