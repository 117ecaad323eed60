package jfathom.runtime;

/**
 * One record or one counted call, where the fast path cannot write it. Nothing thrown here reaches
 * the program but what the VM itself throws into the thread (Thread.stop). While a thread is on the
 * slow path its recorder is closed and busy, or it holds {@link ThreadTable#LOCK}: probes that it
 * meets on the way do nothing.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}: none of it belongs into the program's
 * compiled code.
 */
@SuppressWarnings("serial")
final class SlowPath extends Throwable {
    private static final int ID_MASK = (1 << Layout.ID_BITS) - 1;
    /** In place of a shift: the record has no time. */
    static final int UNTIMED = -1;

    /**
     * Has the JVM resolve the class for this class's handlers, which ask for it: on a full heap it
     * could not.
     */
    static final Class<?> OVERFLOW = StackOverflowError.class;

    private SlowPath() {}

    /**
     * Records where the fast path cannot: the ring is full or at its end, the high bits of the time
     * have changed, this is the first record, or there is no ring. {@code shift} says by how many
     * bits the time's low bits are coarsened, or is UNTIMED for a record without a time.
     */
    static void write(ThreadRecorder recorder, long head, long time, int shift) {
        if (recorder.busy) return;
        // Records of calls have asked for it before.
        boolean asks = shift == Layout.COARSE_SHIFT && Session.THREAD_CLOCK;
        if (asks && recorder.clockGap != 0) time = ThreadClock.due(recorder, time);
        boolean pinned = false;
        boolean done = false;
        recorder.busy = true;
        try {
            pinned = Carriers.pin();
            recorder.limit = ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
            recorder.beginWork();
            if (recorder.virtual) {
                if (head >>> Layout.TYPE_SHIFT == Layout.TYPE_ENTRY) {
                    UnrecordedCalls.onVirtual((int) (head >>> Layout.TIMED_ID_SHIFT) & ID_MASK);
                }
            } else {
                if (recorder.registration.handedOff) {
                    Threads.startHandedOff(recorder);
                    time = Session.now();
                }
                boolean written =
                        shift == UNTIMED
                                ? recorder.ring != null && RingWriter.push(recorder, head)
                                : RecordGroup.record(recorder, head, time, shift);
                if (!written) Losses.count(recorder);
            }
            done = true;
            recorder.endWork();
            // Thread.stop arrives at branch targets, too. The end of the covered range must not be
            // one: nothing would run the finally for it. So the branches above lead to this store.
            recorder.busy = false;
        } catch (Throwable e) {
            // Where the record is done, nothing of it is missing.
            boolean overflow = !done && e instanceof StackOverflowError;
            // An entry that is not in the ring must not be followed by its exit. The overflow goes
            // on into the program, and the method ends before a handler covers it: nothing of the
            // call is missing.
            boolean entry = head >>> Layout.TYPE_SHIFT == Layout.TYPE_ENTRY;
            if (entry && overflow) throw Errors.<RuntimeException>unchecked(e);
            // Without a call, for which there may be no room.
            if (overflow && shift != UNTIMED) {
                Activity activity = recorder.activity;
                Owed before = activity.owed;
                Owed owed = before == null ? recorder.debt.spare : before;
                boolean owes = activity.unrecorded == 0 && owed != null;
                if (!owes || before != null) recorder.losses.overflows++;
                if (owes) {
                    owed.head = head;
                    owed.time = time;
                    owed.shift = shift;
                    if (before == null) recorder.debt.lent = true;
                    activity.owed = owed;
                }
            } else if (!done) {
                recorder.losses.lost++;
            }
            Errors.passOn(e);
        } finally {
            // ThreadRecorder.reopen without a call: on a full stack that would not return, and the
            // thread would stay closed. Busy goes first: what a Thread.stop leaves undone after
            // that, the next slow path does.
            recorder.busy = false;
            recorder.limit =
                    (recorder.excluded | recorder.switched) == 0 && recorder.activity.owed == null
                            ? recorder.open
                            : ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = recorder.counting;
            if (pinned) Carriers.unpin(true);
        }
    }

    /** Writes a record without a time, after a wait if need be. False if it could not. */
    static boolean writeUntimed(ThreadRecorder recorder, long record) {
        long before = recorder.position();
        write(recorder, record, 0, UNTIMED);
        return recorder.position() != before;
    }

    /**
     * Counts a call where the fast path cannot: the first of a counter chunk or of a thread, on a
     * thread that shares its slot, or on a virtual thread.
     */
    static void count(ThreadRecorder recorder, int id) {
        if (recorder.busy) return;
        boolean pinned = false;
        boolean done = false;
        recorder.busy = true;
        try {
            pinned = Carriers.pin();
            recorder.limit = ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
            recorder.beginWork();
            if (recorder.virtual) {
                UnrecordedCalls.onVirtual(id);
            } else {
                if (recorder.registration.handedOff) Threads.startHandedOff(recorder);
                if (!increment(recorder, id)) Session.count(Layout.HEADER_LOST_COUNTS, 1);
            }
            done = true;
            recorder.endWork();
            // As in write.
            recorder.busy = false;
        } catch (Throwable e) {
            // A method whose entry probe overflows the stack does not run.
            if (!done && e instanceof StackOverflowError) {
                throw Errors.<RuntimeException>unchecked(e);
            }
            if (!done) Session.count(Layout.HEADER_LOST_COUNTS, 1);
            Errors.passOn(e);
        } finally {
            // As in write.
            recorder.busy = false;
            recorder.limit =
                    (recorder.excluded | recorder.switched) == 0 && recorder.activity.owed == null
                            ? recorder.open
                            : ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = recorder.counting;
            if (pinned) Carriers.unpin(true);
        }
    }

    private static boolean increment(ThreadRecorder recorder, int id) {
        Ring ring = recorder.ring;
        if (ring == null) return false;
        if (recorder.switched != 0 && !SwitchRecord.write(recorder, Session.now())) return false;
        if (ring.counters.count(id)) return true;
        synchronized (ThreadTable.LOCK) {
            if (!Counters.give(ring, id >> Layout.CHUNK_SHIFT)) return false;
        }
        recorder.adoptCounters();
        return ring.counters.count(id);
    }
}
