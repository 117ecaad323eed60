package jfathom.runtime;

/**
 * What a thread recorder remembers of the bytes that its owner allocates. Only the owner reads and
 * writes it, and only if its {@link ThreadRecorder#heapPlace}, which the methods are given, is not
 * 0.
 */
final class HeapReading {
    /** Offset in the head of the reading table; 0 if all timed calls read what they allocate. */
    long reading;
    /**
     * The owner's number up to which all bytes have a record or belong to none: those that the
     * runtime itself allocates, and those from outside of roots.
     */
    long allocated;
    /** What the owner had allocated when the runtime began to work on it. */
    long measured;

    /** What the owner has allocated so far belongs to no record. */
    void settle(long place) {
        long now = AllocatedBytes.read(place);
        allocated = now;
        measured = now;
    }

    /** The runtime begins to work on the owner: what it allocates belongs to no record. */
    void begin(long place) {
        measured = AllocatedBytes.read(place);
    }

    /** The runtime's work ends. */
    void end(long place) {
        long now = AllocatedBytes.read(place);
        allocated += now - measured;
        measured = now;
    }

    /**
     * Another thread's records follow. Whose the bytes since the last record are, nobody knows.
     * They are counted if one of the two is inside.
     */
    void change(long place, boolean inside) {
        long bytes = AllocatedBytes.read(place) - allocated;
        if (inside && bytes > 0) Session.count(Layout.HEADER_UNATTRIBUTED_BYTES, bytes);
        settle(place);
    }
}
