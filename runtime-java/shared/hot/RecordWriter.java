package jfathom.runtime;

/**
 * Writes the records of timed calls.
 *
 * <p>The methods must stay out of line, and with them the question whether the thread recorder is
 * the thread's own. Inlined into every instrumented method they would use up the compiler's budgets
 * that the program's own code needs. The class is a Throwable because HotSpot's C2 inlines no
 * method of such a class into others. Outside of java.base there is no other way to say so. It is
 * never thrown or made.
 *
 * <p>An entry or exit gets the thread recorder that is in the thread's slot: its own, if it is
 * inside, or another thread's. A virtual thread's own is the one of its carrier.
 */
@SuppressWarnings("serial")
final class RecordWriter extends Throwable {
    private static final long TIME_MASK = (1L << Layout.TIME_BITS) - 1;
    private static final int STEP = Layout.RECORD_BYTES;

    private RecordWriter() {}

    /**
     * An entry, in any mode but OFF, on a thread whose slot is not empty. A mode below zero is one
     * with MODE_STACK. The entries here return the call's token.
     */
    static int innerEntry(ThreadRecorder recorder, int id, int mode) {
        if (mode >= Layout.MODE_FIRST_CALL) return RareCalls.firstCallEntry(id);
        if (mode < 0 || !recorder.isCurrent()) {
            return RareCalls.innerEntry(Thread.currentThread(), id, mode);
        }
        return entry(recorder, id, mode);
    }

    /** An entry in any mode on a thread that records from its first probe. */
    static int methodEntry(int id, int mode) {
        if (mode == Layout.MODE_OFF) return 0;
        ThreadRecorder recorder = ThreadTable.SLOTS[Session.slot(Thread.currentThread())];
        if (mode < 0 || !recorder.isCurrent()) {
            return RareCalls.methodEntry(Thread.currentThread(), id, mode);
        }
        return entry(recorder, id, mode);
    }

    private static int entry(ThreadRecorder recorder, int id, int mode) {
        if (mode != Layout.MODE_TIME) {
            count(recorder, id);
            return 0;
        }
        int token = Allowance.take(recorder, id);
        if (token == 0) {
            count(recorder, id);
            return 0;
        }
        write(recorder, Layout.ENTRY | Token.bits(token));
        // After the record: if that overflows the stack, the method ends without an exit probe.
        if ((token & Token.OUTERMOST) != 0) recorder.outermost.begin(id);
        return token;
    }

    /** A call of a method that is only counted, on a thread that records from its first probe. */
    static void countedEntry(int id) {
        ThreadRecorder recorder = ThreadTable.SLOTS[Session.slot(Thread.currentThread())];
        if (id >= Session.IDS) UnrecordedCalls.outsideSpan();
        else if (recorder.isCurrent()) count(recorder, id);
        else RareCalls.methodEntry(Thread.currentThread(), id, Layout.MODE_COUNT);
    }

    /** The same on a thread that may be inside a root. */
    static void countedInnerEntry(ThreadRecorder recorder, int id) {
        if (id >= Session.IDS) UnrecordedCalls.outsideSpan();
        else if (recorder.isCurrent()) count(recorder, id);
        else RareCalls.innerEntry(Thread.currentThread(), id, Layout.MODE_COUNT);
    }

    /** A counted call that the probe did not count. */
    private static void count(ThreadRecorder recorder, int id) {
        // A virtual thread that is inside, with nothing in the way.
        boolean isVirtual =
                recorder.activity != recorder.own && recorder.limit != ThreadRecorder.CLOSED;
        boolean isReady = isVirtual ? recorder.counters != null : recorder.canCount();
        if (!isReady || !recorder.counters.count(id)) SlowPath.count(recorder, id);
    }

    /** A caught exception. */
    static void caught(Object exception, int token) {
        int id = caughtBy(token);
        if (id < 0) return;
        if (Session.CAUGHT && SessionData.current.caught) {
            CaughtClasses.record(Thread.currentThread(), id, exception);
        } else {
            Catches.record(Thread.currentThread(), id);
        }
    }

    /** An exception in a handler of any. */
    static void caughtAny(int token) {
        int id = caughtBy(token);
        if (id >= 0) Catches.record(Thread.currentThread(), id);
    }

    /**
     * The id of the method that has caught; below zero if that is not recorded. A root may be off,
     * or no session open.
     */
    private static int caughtBy(int token) {
        if (token > 0) return Gate.on ? Token.id(token) : -1;
        boolean records =
                Gate.on
                        && (Session.MEMORY.mode(~token) & Layout.MODE_MASK) != Layout.MODE_OFF;
        return records ? ~token : -1;
    }

    /** A timed call returns. Where its thread is looked up, callers stay small. */
    static void returned(int token) {
        if (Gate.on) exit(token, Layout.RETURN);
    }

    /** A timed call ends by an exception. */
    static void thrown(int token) {
        if (Gate.on) exit(token, Layout.THROW);
    }

    private static void exit(int token, long type) {
        exit(ThreadTable.SLOTS[Session.slot(Thread.currentThread())], type, token);
    }

    /** An exit of a timed call. */
    static void exit(ThreadRecorder recorder, long type, int token) {
        if (recorder.isCurrent()) {
            if ((token & Token.OUTERMOST) != 0) recorder.outermost.end(Token.id(token));
            write(recorder, type | Token.bits(token));
        } else if (recorder != ThreadRecorder.NO_RECORDER) {
            RareCalls.exit(Thread.currentThread(), type, token);
        }
    }

    /** Records {@code head}, type and id, with the time. */
    static void write(ThreadRecorder recorder, long head) {
        // Before the clock is read: what this takes belongs to the method that made the calls.
        boolean flushed = (head & Layout.UNFLUSHED) != 0 || CountedCalls.write(recorder);
        if (Session.ALLOCATED && recorder.heapPlace != 0) Allocated.write(recorder, head);
        long time = Session.now();
        if (Session.THREAD_CLOCK && recorder.clockGap != 0) time = ThreadClock.due(recorder, time);
        long place = recorder.next;
        long unusual =
                time >>> Layout.TIME_BITS ^ recorder.high
                        | Session.MEMORY.pauses() ^ recorder.pauses;
        if (place < recorder.limit && unusual == 0 && flushed) {
            try {
                Session.MEMORY.put(recorder.store, place, head | time & TIME_MASK);
                recorder.next = place + STEP;
            } catch (Throwable e) {
                // Only Thread.stop or an overflow of the stack in interpreted code.
                throw RingWriter.<RuntimeException>finishStep(recorder, place, e);
            }
        } else {
            SlowPath.write(recorder, head, time, 0);
        }
    }
}
