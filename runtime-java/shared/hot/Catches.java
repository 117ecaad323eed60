package jfathom.runtime;

/**
 * The records of caught exceptions.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class Catches extends Throwable {
    private Catches() {}

    static void record(Thread thread, int id) {
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Recorders.find(thread);
            if (recorder != null && recorder.inside == thread) write(recorder, id);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    static void write(ThreadRecorder recorder, int id) {
        long head = Layout.ESCAPE_CAUGHT | (long) id << Layout.ESCAPE_ID_SHIFT;
        SlowPath.write(recorder, head, Session.now(), Layout.COARSE_SHIFT);
    }
}
