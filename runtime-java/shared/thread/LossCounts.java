package jfathom.runtime;

/**
 * Lost records of one thread that are not yet added to the header. Written by the thread itself, by
 * fields alone where the stack may have no room for a call. When it has died, and at the session's
 * end, under {@link ThreadTable#LOCK} by another.
 */
final class LossCounts {
    long lost;
    /** The counter in the header to which {@code lost} goes. */
    int counter = Layout.HEADER_LOST_RECORDS;
    /** Records lost because the stack had no room. */
    long overflows;

    /** Adds all to the header. */
    void flush() {
        add(counter, lost);
        lost = 0;
        add(Layout.HEADER_LOST_OVERFLOW, overflows);
        overflows = 0;
    }

    private static void add(int counter, long lost) {
        if (lost != 0) Session.count(counter, lost);
    }
}
