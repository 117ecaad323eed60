package jfathom.runtime;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.WeakHashMap;

/** Marks on task objects that were handed off: by identity, held weakly. */
final class TaskMarks {
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
    /** Guards the tables, the marks and writes of {@code count}. */
    private static final Object LOCK = new Object();
    private static Mark[] table = new Mark[64];
    /** Classes of which a run has come. Their task methods have probes from then on. */
    private static WeakHashMap<Class<?>, Boolean> seen = new WeakHashMap<>();
    /** Number of marks. Written under the lock, read without. */
    private static volatile int count;

    private TaskMarks() {}

    /** One marked object. */
    private static final class Mark extends WeakReference<Object> {
        final int hash;
        final boolean periodic;
        /** Without a number if it stands for several hand-offs: nobody knows whose a run is. */
        long handOff;
        /** How many runs are to come; without meaning if periodic. */
        int runs = 1;
        /**
         * Whether no run of it is missing: one has come, one would be seen if it came, or the
         * hand-off is counted as not followed.
         */
        boolean settled;
        Mark next;

        Mark(Object task, int hash, long handOff, boolean periodic) {
            super(task, GONE);
            this.hash = hash;
            this.handOff = handOff;
            this.periodic = periodic;
            settled = seen.containsKey(task.getClass());
        }
    }

    static boolean isEmpty() {
        return count == 0;
    }

    static void put(Object task, long handOff, boolean periodic) {
        int root = HandOff.root(handOff);
        int hash = System.identityHashCode(task);
        synchronized (LOCK) {
            expunge();
            for (Mark mark = table[hash & table.length - 1]; mark != null; mark = mark.next) {
                boolean same = mark.hash == hash && mark.get() == task;
                if (same && HandOff.root(mark.handOff) == root && mark.periodic == periodic) {
                    mark.runs++;
                    mark.handOff = HandOff.of(root, 0);
                    return;
                }
            }
            Mark mark = new Mark(task, hash, handOff, periodic);
            if (count >= table.length) grow();
            link(table, mark);
            count++;
        }
    }

    /** The {@link HandOff} of the object, for one run of it; −1 without a mark. */
    static long use(Object task) {
        int hash = System.identityHashCode(task);
        synchronized (LOCK) {
            expunge();
            for (Mark mark = table[hash & table.length - 1]; mark != null; mark = mark.next) {
                if (mark.hash != hash || mark.get() != task) continue;
                mark.settled = true;
                seen.put(task.getClass(), Boolean.TRUE);
                if (!mark.periodic && --mark.runs == 0) unlink(mark);
                return mark.handOff;
            }
        }
        return -1;
    }

    /** Forgets all marks. */
    static void reset() {
        synchronized (LOCK) {
            while (GONE.poll() != null) {}
            table = new Mark[64];
            seen = new WeakHashMap<>();
            count = 0;
        }
    }

    /** Counts the marks that are not settled as hand-offs that were not followed. */
    static void countUnused() {
        synchronized (LOCK) {
            for (Mark head : table) {
                for (Mark mark = head; mark != null; mark = mark.next) settle(mark);
            }
        }
    }

    /** Removes the marks of objects that are gone. */
    private static void expunge() {
        for (Object gone = GONE.poll(); gone != null; gone = GONE.poll()) {
            settle((Mark) gone);
            unlink((Mark) gone);
        }
    }

    private static void settle(Mark mark) {
        if (!mark.settled) HandOff.countUnfollowed();
        mark.settled = true;
    }

    private static void link(Mark[] table, Mark mark) {
        int slot = mark.hash & table.length - 1;
        mark.next = table[slot];
        table[slot] = mark;
    }

    private static void unlink(Mark gone) {
        int slot = gone.hash & table.length - 1;
        Mark before = null;
        for (Mark mark = table[slot]; mark != null; before = mark, mark = mark.next) {
            if (mark != gone) continue;
            if (before == null) table[slot] = mark.next;
            else before.next = mark.next;
            count--;
            return;
        }
    }

    private static void grow() {
        Mark[] larger = new Mark[table.length * 2];
        for (Mark head : table) {
            for (Mark mark = head; mark != null; ) {
                Mark next = mark.next;
                link(larger, mark);
                mark = next;
            }
        }
        table = larger;
    }
}
