package jfathom.runtime;

/**
 * The trees of tasks that a root has handed off: they bring a thread inside as roots do.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class TaskTrees extends Throwable {
    private TaskTrees() {}

    /** Opens the task of a {@link HandOff} on a thread outside. False if it cannot record. */
    static boolean open(Thread thread, long handOff) {
        boolean pinned = Carriers.pin();
        try {
            return openHere(thread, handOff);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static boolean openHere(Thread thread, long handOff) {
        int root = HandOff.root(handOff);
        ThreadRecorder recorder = Recorders.find(thread);
        if (recorder == null) {
            recorder = Recorders.registerOrNull(thread);
            if (recorder == null) return false;
        }
        Roots.beginInside(recorder);
        long head = Layout.ESCAPE_TASK_OPEN | (long) root << Layout.ESCAPE_ID_SHIFT;
        SlowPath.write(recorder, head, Session.now(), Layout.COARSE_SHIFT);
        recorder.activity.depth = 1;
        recorder.activity.root = root;
        ThreadTable.enter(recorder);
        recordTask(recorder, HandOff.number(handOff));
        return true;
    }

    static void close(Thread thread) {
        boolean pinned = Carriers.pin();
        try {
            closeHere(thread);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static void closeHere(Thread thread) {
        ThreadRecorder recorder = Recorders.find(thread);
        if (recorder == null) Recorders.lose(thread, -1, true);
        if (recorder == null || recorder.inside != thread) return;
        Activity activity = recorder.activity;
        long root = (long) activity.root << Layout.ESCAPE_ID_SHIFT;
        long head = Layout.ESCAPE_TASK_CLOSE | root;
        Roots.leave(recorder);
        SlowPath.write(recorder, head, Session.now(), Layout.COARSE_SHIFT);
        Recorders.forgetOutside(recorder, activity);
    }

    /** The hand-off is done. */
    static void recordHandOff(ThreadRecorder recorder, long handOff) {
        write(recorder, Layout.ESCAPE_HAND_OFF, HandOff.number(handOff));
    }

    /** The thread has just opened the task with the hand-off of this number. */
    private static void recordTask(ThreadRecorder recorder, int number) {
        write(recorder, Layout.ESCAPE_TASK_NUMBER, number);
    }

    private static void write(ThreadRecorder recorder, long escape, int number) {
        if (number == 0) return;
        long head = escape | (long) number << Layout.ESCAPE_ID_SHIFT;
        SlowPath.write(recorder, head, Session.now(), Layout.COARSE_SHIFT);
    }
}
