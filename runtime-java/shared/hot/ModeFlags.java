package jfathom.runtime;

/**
 * The flags of a method's mode: MODE_FIRST_CALL and MODE_STACK.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class ModeFlags extends Throwable {
    /** As in {@link SlowPath}. */
    static final Class<?> OVERFLOW = StackOverflowError.class;

    private ModeFlags() {}

    /** Handles the flags of a mode with MODE_STACK. Returns it without them. */
    static int handle(ThreadRecorder recorder, int id, int mode) {
        if ((mode & Layout.MODE_FIRST_CALL) != 0) awaitFirstCall(recorder, id);
        StackWalks.call(recorder, id, mode);
        return mode & Layout.MODE_MASK;
    }

    /** Lets the agent handle a first call. Returns the method's mode after that, without flags. */
    static int awaitFirstCall(ThreadRecorder recorder, int id) {
        if (!recorder.busy) {
            long since = ExcludedTime.begin(recorder);
            try {
                Variant.HOST.firstCall(id);
            } catch (Throwable e) {
                // As in RareCalls.methodEntry.
                if (e instanceof StackOverflowError) {
                    throw Errors.<RuntimeException>unchecked(e);
                }
                Errors.passOn(e);
            } finally {
                ExcludedTime.end(recorder, since);
            }
        }
        return Session.MEMORY.mode(id) & Layout.MODE_MASK;
    }
}
