package jfathom.runtime;

/**
 * The rare branches of the probes of calls: the thread's slot does not hold its recorder, or the
 * mode has flags.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class RareCalls extends Throwable {
    /** As in {@link SlowPath}. */
    static final Class<?> OVERFLOW = StackOverflowError.class;

    private RareCalls() {}

    /** The thread's slot did not hold it: its first probe, a shared slot, or a virtual thread. */
    static int methodEntry(Thread thread, int id, int mode) {
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Recorders.find(thread);
            if (recorder == null) {
                if (Recorders.cannotRecord(thread)) return 0;
                if (!Carriers.ON && ThreadApi.isVirtual(thread)) {
                    UnrecordedCalls.onVirtual(id);
                    return 0;
                }
                recorder = Recorders.register(thread);
                if (recorder == null) return 0;
            }
            int token = enter(recorder, id, mode);
            if (recorder.inside == null) {
                recorder.activity.depth++;
                ThreadTable.enter(recorder);
            }
            return token;
        } catch (Throwable e) {
            // As in SlowPath.write: a method whose entry is not recorded has no exit probe.
            if (e instanceof StackOverflowError) throw Errors.<RuntimeException>unchecked(e);
            Errors.passOn(e);
            return 0;
        } finally {
            Carriers.unpin(pinned);
        }
    }

    /** The thread's slot holds no recorder that records it at the moment. */
    static int innerEntry(Thread thread, int id, int mode) {
        if (Carriers.ON && VirtualThreads.isKnownOutside(thread)) return 0;
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Recorders.find(thread);
            if (recorder != null) {
                return recorder.inside == thread ? enter(recorder, id, mode) : 0;
            }
            boolean timed = (mode & Layout.MODE_MASK) == Layout.MODE_TIME;
            // The exit of a timed call is told as lost, too. A counted one has none.
            Recorders.lose(thread, timed ? 1 : 0, false);
            return timed ? Token.flushed(id) : 0;
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static int enter(ThreadRecorder recorder, int id, int mode) {
        int plain = mode < 0 ? ModeFlags.handle(recorder, id, mode) : mode;
        if (plain == Layout.MODE_COUNT) {
            SlowPath.count(recorder, id);
            return 0;
        }
        int token = Allowance.take(recorder, id);
        if (token == 0) {
            SlowPath.count(recorder, id);
            return 0;
        }
        RecordWriter.write(recorder, Layout.ENTRY | Token.bits(token));
        if ((token & Token.OUTERMOST) != 0) recorder.outermost.begin(id);
        return token;
    }

    /** An entry of a method whose first call the agent waits for. */
    static int firstCallEntry(int id) {
        boolean pinned = Carriers.pin();
        try {
            Thread thread = Thread.currentThread();
            ThreadRecorder recorder = Recorders.find(thread);
            if (recorder == null || recorder.inside != thread) return 0;
            int mode = ModeFlags.awaitFirstCall(recorder, id);
            return mode == Layout.MODE_OFF ? 0 : enter(recorder, id, mode);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    /** An exit; else as {@link #innerEntry}. */
    static void exit(Thread thread, long type, int token) {
        if (Carriers.ON && VirtualThreads.isKnownOutside(thread)) return;
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Recorders.find(thread);
            if (recorder == null) Recorders.lose(thread, -1, false);
            else if (recorder.inside == thread) {
                if ((token & Token.OUTERMOST) != 0) recorder.outermost.end(Token.id(token));
                RecordWriter.write(recorder, type | Token.bits(token));
            }
        } finally {
            Carriers.unpin(pinned);
        }
    }
}
