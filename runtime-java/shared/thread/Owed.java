package jfathom.runtime;

/**
 * An exit or catch that found no room, of a call with an entry record. It goes before the thread's
 * next record, in whatever ring that is, and ends all calls that were recorded within.
 *
 * <p>Its fields are the thread's own, as those of its {@link Activity}.
 */
final class Owed {
    long head;
    long time;
    /** By how many bits the time is coarsened. */
    int shift;

    /** Null if the heap is full. */
    static Owed make() {
        try {
            return new Owed();
        } catch (Throwable e) {
            Errors.passOn(e);
            return null;
        }
    }
}
