package jfathom.runtime;

/**
 * Records that find no room: counted by their reason, and left out so that those before and after
 * them still fit together.
 *
 * <p>A call without an entry record is left out with all that it calls. If the entry was recorded,
 * the exit is owed: it goes, with the time of its own, before the next record.
 */
final class Losses {
    /** Losses are added to the header in portions, so that threads do not fight for the word. */
    private static final int PORTION = 64;

    private Losses() {}

    /** Writes a record, owes it, or leaves it out. False if it is lost. */
    static boolean record(ThreadRecorder recorder, long head, long time, int shift) {
        int opened = opened(head);
        if (recorder.activity.unrecorded > 0) {
            recorder.activity.unrecorded += opened;
            return false;
        }
        if (SlowPath.writeTimed(recorder, head, time, shift)) return true;
        // There may be room for fewer records: the fast path must not write the next one there.
        recorder.open = recorder.next;
        // A virtual thread may go on with a carrier that has a ring.
        if (recorder.ring == null && recorder.activity == recorder.own) return false;
        if (opened > 0) {
            recorder.activity.unrecorded = 1;
            return false;
        }
        if (isNumber(head)) return false;
        return recorder.owe(head, time, shift);
    }

    /** Whether the record only says a hand-off's number. No exit is to be lost for it. */
    private static boolean isNumber(long head) {
        long escape = head >>> Layout.ESCAPE_SHIFT << Layout.ESCAPE_SHIFT;
        return escape == Layout.ESCAPE_HAND_OFF || escape == Layout.ESCAPE_TASK_NUMBER;
    }

    /** By how much the record raises the number of open calls and tasks. */
    private static int opened(long head) {
        int type = (int) (head >>> Layout.TYPE_SHIFT);
        if (type == Layout.TYPE_ENTRY) return 1;
        if (type == Layout.TYPE_RETURN || type == Layout.TYPE_THROW) return -1;
        long escape = head >>> Layout.ESCAPE_SHIFT << Layout.ESCAPE_SHIFT;
        return escape == Layout.ESCAPE_TASK_OPEN ? 1 : escape == Layout.ESCAPE_TASK_CLOSE ? -1 : 0;
    }

    /** Counts a lost record. */
    static void countLost(ThreadRecorder recorder) {
        int counter = counter(recorder);
        if (recorder.lostTo != counter) flush(recorder);
        recorder.lostTo = counter;
        if (++recorder.lost >= PORTION) flush(recorder);
    }

    private static int counter(ThreadRecorder recorder) {
        if (FlowControl.gone) return Layout.HEADER_LOST_RECORDS;
        return recorder.ring == null ? Layout.HEADER_LOST_RINGLESS : Layout.HEADER_LOST_WAITING;
    }

    /** Adds a thread's losses to the header. */
    static void flush(ThreadRecorder recorder) {
        add(recorder.lostTo, recorder.lost);
        recorder.lost = 0;
        add(Layout.HEADER_LOST_OVERFLOW, recorder.overflows);
        recorder.overflows = 0;
    }

    private static void add(int counter, long lost) {
        if (lost != 0) Session.count(counter, lost);
    }
}
