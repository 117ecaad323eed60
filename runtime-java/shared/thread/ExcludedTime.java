package jfathom.runtime;

/**
 * Time that is in none of a thread's times: what the runtime does on the thread, and what the agent
 * holds it up for.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class ExcludedTime extends Throwable {
    private ExcludedTime() {}

    /**
     * The thread is about to wait for the agent, or to have its stack walked: probes that it meets
     * on the way do nothing. Returns the time.
     */
    static long begin(ThreadRecorder recorder) {
        addPauses(recorder);
        recorder.beginWork();
        long since = Session.now();
        // No call from here on: it might overflow the stack and leave the rest undone.
        recorder.awaiting = true;
        recorder.busy = true;
        recorder.limit = ThreadRecorder.CLOSED;
        CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
        return since;
    }

    /** Excludes what was done since {@code since} from the thread's times. */
    static void end(ThreadRecorder recorder, long since) {
        // Stores before calls, as in SlowPath.write. The limit is left to the next record.
        recorder.awaiting = false;
        recorder.busy = false;
        CounterTable.ROWS[recorder.row] = recorder.counting;
        long waited = Math.max(Session.now() - since, 0);
        recorder.limit = ThreadRecorder.CLOSED;
        recorder.exclude(recorder.excluded + waited, Session.paused());
        recorder.endWork();
    }

    /** Excludes the ticks for which all threads were held up since this thread last looked. */
    static void addPauses(ThreadRecorder recorder) {
        // Acquired before the ticks, which the agent writes first: they are no older.
        recorder.pauses = Session.MEMORY.getInt(Session.HEAD, Layout.HEADER_PAUSES);
        long paused = Session.paused();
        recorder.exclude(recorder.excluded + Math.max(paused - recorder.paused, 0), paused);
    }

    /** The thread comes inside: pauses while it was outside are in none of its times. */
    static void ignorePauses(ThreadRecorder recorder) {
        recorder.exclude(0, Session.paused());
    }
}
