package jfathom.runtime;

/**
 * The bytes that platform threads have allocated, read in the way that {@link AllocatedChoice} has
 * chosen.
 *
 * <p>Initialised only if a session records them. A Throwable for the same reason as {@link
 * RecordWriter}.
 */
@SuppressWarnings("serial")
final class AllocatedBytes extends Throwable {
    private static final boolean BY_FIELDS = AllocatedChoice.way == Layout.ALLOCATED_FIELDS;
    private static final long SUM = BY_FIELDS ? AllocatedChoice.fields.allocated : 0;
    private static final long START = BY_FIELDS ? AllocatedChoice.fields.start : 0;
    private static final long TOP = BY_FIELDS ? AllocatedChoice.fields.top : 0;

    private AllocatedBytes() {}

    /**
     * Where a thread's number is read: the address of the JVM's structure of the thread, or {@code
     * tid}, the thread's number. 0 if it cannot be read.
     */
    static long place(Thread thread, long tid) {
        return BY_FIELDS ? Session.MEMORY.javaThread(thread) : tid;
    }

    /** What the current thread, or its carrier, which has this place, has allocated so far. */
    static long read(long place) {
        return BY_FIELDS
                ? VmFields.read(Session.MEMORY, place, SUM, START, TOP)
                : ThreadBean.read(place);
    }
}
