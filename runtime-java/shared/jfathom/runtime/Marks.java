package jfathom.runtime;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** Task objects that were handed off, by identity, held weakly. */
final class Marks {
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
    private static final Object LOCK = new Object();
    private static Mark[] table = new Mark[64];
    private static volatile int count;

    private Marks() {}

    /** One marked object. */
    private static final class Mark extends WeakReference<Object> {
        final int hash;
        final int root;
        final boolean periodic;
        /** How many runs are to come; of no meaning if periodic. */
        int runs = 1;
        /** Whether a run has been met. */
        boolean met;
        Mark next;

        Mark(Object task, int hash, int root, boolean periodic) {
            super(task, GONE);
            this.hash = hash;
            this.root = root;
            this.periodic = periodic;
        }
    }

    static boolean none() {
        return count == 0;
    }

    static void put(Object task, int root, boolean periodic) {
        int hash = System.identityHashCode(task);
        synchronized (LOCK) {
            expunge();
            for (Mark it = table[hash & table.length - 1]; it != null; it = it.next) {
                if (it.hash == hash && it.get() == task && it.root == root && it.periodic == periodic) {
                    it.runs++;
                    return;
                }
            }
            Mark mark = new Mark(task, hash, root, periodic);
            if (count >= table.length) grow();
            link(table, mark);
            count++;
        }
    }

    /** The root that handed the object off, for one run of it; −1 if none did. */
    static int take(Object task) {
        int hash = System.identityHashCode(task);
        synchronized (LOCK) {
            expunge();
            for (Mark it = table[hash & table.length - 1]; it != null; it = it.next) {
                if (it.hash != hash || it.get() != task) continue;
                it.met = true;
                if (!it.periodic && --it.runs == 0) unlink(it);
                return it.root;
            }
        }
        return -1;
    }

    /** Forgets all marks. */
    static void reset() {
        synchronized (LOCK) {
            while (GONE.poll() != null) {}
            table = new Mark[64];
            count = 0;
        }
    }

    /** Counts what was never met as not followed. */
    static void abandon() {
        synchronized (LOCK) {
            for (Mark head : table) {
                for (Mark it = head; it != null; it = it.next) count(it);
            }
        }
    }

    private static void expunge() {
        for (Object gone = GONE.poll(); gone != null; gone = GONE.poll()) {
            count((Mark) gone);
            unlink((Mark) gone);
        }
    }

    private static void count(Mark it) {
        if (!it.met) Tasks.notFollowed();
        it.met = true;
    }

    private static void link(Mark[] table, Mark it) {
        int slot = it.hash & table.length - 1;
        it.next = table[slot];
        table[slot] = it;
    }

    private static void unlink(Mark gone) {
        int slot = gone.hash & table.length - 1;
        Mark before = null;
        for (Mark it = table[slot]; it != null; before = it, it = it.next) {
            if (it != gone) continue;
            if (before == null) table[slot] = it.next;
            else before.next = it.next;
            count--;
            return;
        }
    }

    private static void grow() {
        Mark[] larger = new Mark[table.length * 2];
        for (Mark head : table) {
            for (Mark it = head; it != null; ) {
                Mark next = it.next;
                link(larger, it);
                it = next;
            }
        }
        table = larger;
    }
}
