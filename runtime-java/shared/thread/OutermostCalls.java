package jfathom.runtime;

/**
 * The open calls of a thread's methods of which only the outermost are timed: a call within one of
 * them is counted. Written and read by the thread itself.
 */
final class OutermostCalls {
    private static final int PLACES = 128;

    /** By place: the id of the open call, plus one; 0 without one. */
    private final int[] ids = new int[PLACES];

    private int count;

    boolean isOpen(int id) {
        return ids[id & PLACES - 1] == id + 1;
    }

    /** A call begins. Where another method has the place, calls within it are timed, too. */
    void begin(int id) {
        int place = id & PLACES - 1;
        if (ids[place] != 0) return;
        ids[place] = id + 1;
        count++;
    }

    void end(int id) {
        if (!isOpen(id)) return;
        ids[id & PLACES - 1] = 0;
        count--;
    }

    /** The thread comes inside: the ends of calls from before were not seen. */
    void clear() {
        if (count == 0) return;
        for (int place = 0; place < PLACES; place++) ids[place] = 0;
        count = 0;
    }
}
