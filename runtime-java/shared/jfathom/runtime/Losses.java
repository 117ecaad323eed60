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
    static boolean record(ThreadRecorder recorder, long head, long time, int shift) {
        int opens = opens(head);
        if (recorder.unrecorded > 0) {
            recorder.unrecorded += opens;
            return false;
        }
        if (SlowPath.timed(recorder, head, time, shift)) return true;
        // There may be room for less than was wanted: the fast way must not take the next record.
        recorder.open = recorder.next;
        if (recorder.ring == null) return false;
        if (opens > 0) {
            recorder.unrecorded = 1;
            return false;
        }
        boolean another = recorder.owed != 0;
        recorder.owed = head;
        recorder.owedTime = time;
        recorder.owedShift = shift;
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
    static void lose(ThreadRecorder recorder) {
        int counter = counter(recorder);
        if (recorder.lostTo != counter) flush(recorder);
        recorder.lostTo = counter;
        if (++recorder.lost >= PORTION) flush(recorder);
    }

    private static int counter(ThreadRecorder recorder) {
        if (FlowControl.gone) return Layout.HEADER_LOST_RECORDS;
        return recorder.ring == null ? Layout.HEADER_LOST_RINGLESS : Layout.HEADER_LOST_WAITING;
    }

    /** Adds what a thread could not record to the header. */
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
