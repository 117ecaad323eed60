package jfathom.runtime;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The stacks of calls: of methods with MODE_STACK, JFR walks the stack at each call of so many. All
 * threads count together, so that the calls of short-lived threads weigh as much as others.
 *
 * <p>A walk goes before the call's own record, and what it takes is excluded from all times. While
 * JFR walks, the thread's recorder is closed and busy: probes that it meets do nothing.
 *
 * <p>Initialised only if a session asks for it. A Throwable for the same reason as {@link
 * RecordWriter}.
 */
@SuppressWarnings("serial")
final class StackWalks extends Throwable {
    private static final int INTERVAL_BYTES = 4;
    private static final long INTERVAL_MASK = 0xffff_ffffL;
    /**
     * Calls whose frames are together larger than those of writing an event, even interpreted. An
     * overflow in its midst would leave JFR's buffer of the thread with half an event.
     */
    private static final int RESERVED_CALLS = 160;
    /** How long a call waits for JFR to be set up. */
    private static final long LONGEST_WAIT_NANOS = 5_000_000_000L;

    private static final long PAUSE_NANOS = 1_000_000;
    /** What a thread waits for. JFR tells its class: such waits are none of the program's. */
    private static final SetUp SET_UP = new SetUp();

    /** Calls so far, by id: in parts as long as counter chunks. Made under the class. */
    private static final AtomicLongArray[] CALLS =
            new AtomicLongArray[(Session.IDS >> Layout.CHUNK_SHIFT) + 1];

    /** As in {@link SlowPath}. */
    static final Class<?> OVERFLOW = StackOverflowError.class;

    private StackWalks() {}

    /** Whether JFR can be asked. Written by the thread that sets it up, and at a session's end. */
    private static final class SetUp {
        /** Whether setting up is over. */
        volatile boolean isOver;
        /** Null before that, and if JFR cannot be asked. Written before {@code isOver}. */
        volatile JfrStackEvent event;
        /** Whether a call has waited long enough: nobody waits any more. */
        volatile boolean isGivenUp;
    }

    /** JFR is set up; without an event it cannot be asked. */
    static void setUp(JfrStackEvent event) {
        SET_UP.event = event;
        SET_UP.isOver = true;
    }

    /** Has no more stacks walked. */
    static void close() {
        SET_UP.event = null;
        SET_UP.isOver = true;
    }

    /** Forgets the session. */
    static void reset() {
        SET_UP.event = null;
        SET_UP.isOver = false;
        SET_UP.isGivenUp = false;
        for (int at = 0; at < CALLS.length; at++) CALLS[at] = null;
    }

    /** A call that is about to be recorded, of a method with MODE_STACK. */
    static void call(ThreadRecorder recorder, int id, int mode) {
        // The calls of virtual threads without carriers are not recorded. Roots-only runs have the
        // modes of others, and no JFR.
        if (recorder.busy || recorder.virtual || !SessionData.current.stacks) return;
        int place = mode >> Layout.MODE_INTERVAL_SHIFT & Layout.STACK_INTERVALS - 1;
        long offset = Layout.HEADER_STACK_INTERVALS + (long) INTERVAL_BYTES * place;
        long interval = Session.MEMORY.getInt(Session.HEAD, offset) & INTERVAL_MASK;
        if (interval == 0) return;
        try {
            int at = id >> Layout.CHUNK_SHIFT;
            AtomicLongArray calls = CALLS[at];
            if (calls == null) calls = makeCalls(recorder, at);
            long call = calls.incrementAndGet(id & calls.length() - 1);
            if (call % interval == 0) walk(recorder, id, call / interval);
        } catch (Throwable e) {
            // As in SlowPath.write: the method whose entry overflows the stack does not run.
            if (e instanceof StackOverflowError) throw Errors.<RuntimeException>unchecked(e);
            Errors.passOn(e);
        }
    }

    private static AtomicLongArray makeCalls(ThreadRecorder recorder, int at) {
        recorder.beginWork();
        try {
            synchronized (StackWalks.class) {
                if (CALLS[at] == null) CALLS[at] = new AtomicLongArray(1 << Layout.CHUNK_SHIFT);
                return CALLS[at];
            }
        } finally {
            recorder.endWork();
        }
    }

    private static void walk(ThreadRecorder recorder, int id, long number) throws Throwable {
        StackRoom.reserve(RESERVED_CALLS);
        long since = ExcludedTime.begin(recorder);
        try {
            JfrStackEvent event = awaitSetUp() ? SET_UP.event : null;
            if (event != null) event.write(id, number);
        } finally {
            ExcludedTime.end(recorder, since);
        }
    }

    /**
     * Whether setting up is over. Waits for it, but not for ever: the program may hold what JFR
     * needs for it. Gives back a permit that the wait has used up, and leaves the interrupt status.
     */
    private static boolean awaitSetUp() {
        if (SET_UP.isOver) return true;
        if (SET_UP.isGivenUp) return false;
        long begin = System.nanoTime();
        try {
            while (!SET_UP.isOver) {
                if (System.nanoTime() - begin >= LONGEST_WAIT_NANOS) {
                    SET_UP.isGivenUp = true;
                    return false;
                }
                LockSupport.parkNanos(SET_UP, PAUSE_NANOS);
                // An interrupted thread does not park.
                Thread.yield();
            }
            return true;
        } finally {
            LockSupport.unpark(Thread.currentThread());
        }
    }
}
