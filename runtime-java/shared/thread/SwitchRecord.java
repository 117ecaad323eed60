package jfathom.runtime;

/**
 * The SWITCH record: says that the records to come are those of the thread that is mounted.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class SwitchRecord extends Throwable {
    /** Records that a switch writes at most. */
    static final int MOST = 5;
    private static final long PAYLOAD_MASK = (1L << Layout.ESCAPE_SHIFT) - 1;

    private SwitchRecord() {}

    /**
     * Writes that the records to come are the mounted thread's, from a time on that is not after
     * the first of them. False if there was no room. Counted calls that have no record yet are
     * those of the thread before.
     */
    static boolean write(ThreadRecorder recorder, long time) {
        if (!CountedCalls.writeAll(recorder) || !RingWriter.makeRoom(recorder, MOST)) {
            return false;
        }
        Activity activity = recorder.activity;
        if (activity.owed != null) time = Math.min(time, activity.owed.time);
        boolean own = activity == recorder.own;
        long number = own ? 0 : Session.MEMORY.tid(activity.thread) & PAYLOAD_MASK;
        if (!RingWriter.push(recorder, Layout.ESCAPE_SWITCH | number)
                || !RingWriter.push(recorder, Layout.ESCAPE_SWITCH_TIME | time & PAYLOAD_MASK)) {
            return false;
        }
        recorder.high = time >>> Layout.TIME_BITS;
        if (activity.isHandedOff()) {
            recorder.beginParked();
            long coarse = (time & (1L << Layout.TIME_BITS) - 1) >>> Layout.COARSE_SHIFT;
            long root = (long) activity.root << Layout.ESCAPE_ID_SHIFT;
            if (!RingWriter.push(recorder, Layout.ESCAPE_TASK_OPEN | root | coarse)) return false;
            long handOff = activity.takeNumber();
            if (handOff != 0) {
                long task = Layout.ESCAPE_TASK_NUMBER | handOff << Layout.ESCAPE_ID_SHIFT;
                RingWriter.push(recorder, task | coarse);
            }
            activity.start();
        }
        if (!own && !writeParked(recorder)) return false;
        recorder.switched = 0;
        recorder.adoptCounters();
        return true;
    }

    /**
     * Writes for how long the mounted thread was parked since its last record. False if there was
     * no room.
     */
    private static boolean writeParked(ThreadRecorder recorder) {
        long ticks = recorder.parked.ticks() & PAYLOAD_MASK;
        if (ticks == 0) return true;
        if (!RingWriter.push(recorder, Layout.ESCAPE_PARKED | ticks)) return false;
        recorder.parked.forget();
        return true;
    }
}
