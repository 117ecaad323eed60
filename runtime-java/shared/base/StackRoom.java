package jfathom.runtime;

/**
 * Room on the current thread's stack. A Throwable for the same reason as {@link RecordWriter}: each
 * call must have a frame of its own.
 */
@SuppressWarnings("serial")
final class StackRoom extends Throwable {
    private StackRoom() {}

    /** Throws a StackOverflowError if the stack has no room for so many calls. */
    static int reserve(int calls) {
        return calls == 0 ? 0 : reserve(calls - 1) + 1;
    }
}
