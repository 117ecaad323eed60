package jfathom.runtime;

/**
 * Numbers of the classes of exceptions that are caught, by name. A name keeps no class alive, and
 * classes of one name in several loaders have one number: the collector knows them by name alone.
 *
 * <p>A number is found without a lock: entries are never removed while a session is open, and an
 * entry is in the table when its name is in the info area. No code of the program runs here: {@code
 * getClass} is final, and {@code getName} is the JDK's and keeps the name.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class CaughtClasses extends Throwable {
    /** The number of classes without one. */
    static final int UNKNOWN = 0;
    /** A name that is not in the table. */
    private static final int NEW = -1;
    /** At most a quarter of the slots is used, so that most names are in their first place. */
    private static final int SLOTS = 4 * Layout.CAUGHT_CLASSES_MAX;

    private static final Object LOCK = new Object();
    /** Written under the lock, read without. Its entries are immutable. */
    private static final Entry[] TABLE = new Entry[SLOTS];
    /** Number of entries; guarded by the lock. */
    private static int used;
    /** Bytes of the names in the info area; guarded by the lock. */
    private static int bytes;
    /** Whether no more names get a number. Written under the lock, read without. */
    private static volatile boolean full;

    static final class Entry {
        final String name;
        final int hash;
        final int number;

        Entry(String name, int hash, int number) {
            this.name = name;
            this.hash = hash;
            this.number = number;
        }
    }

    private CaughtClasses() {}

    /** Gives numbers to the errors for which there is no room when they are caught. */
    static void begin() {
        add("java.lang.StackOverflowError");
        add("java.lang.OutOfMemoryError");
    }

    /** Forgets all names, at the end of a session: the next one has none. */
    static void reset() {
        synchronized (LOCK) {
            java.util.Arrays.fill(TABLE, null);
            used = 0;
            bytes = 0;
            full = false;
        }
    }

    /**
     * Records that the current thread has caught an exception in a method that is timed. Null: one
     * of which the method's probe does not say more.
     */
    static void record(Thread thread, int id, Object exception) {
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Recorders.find(thread);
            boolean records = recorder != null && recorder.inside == thread && !recorder.virtual;
            if (records && !recorder.busy) recordIn(recorder, id, exception);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static void recordIn(ThreadRecorder recorder, int id, Object exception) {
        long number = exception == null ? UNKNOWN : number(recorder, exception);
        recorder.caughtClass = Layout.ESCAPE_CAUGHT_CLASS | number;
        try {
            Catches.write(recorder, id);
        } finally {
            recorder.caughtClass = 0;
        }
    }

    /** The number of the exception's class. Probes that the thread meets on the way do nothing. */
    private static int number(ThreadRecorder recorder, Object exception) {
        int number = UNKNOWN;
        String name = null;
        recorder.busy = true;
        try {
            recorder.limit = ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
            recorder.beginWork();
            name = exception.getClass().getName();
            number = find(name);
            recorder.endWork();
            // As in SlowPath.write.
            recorder.busy = false;
        } catch (Throwable e) {
            // A full stack, mostly: then the class is not known.
            number = UNKNOWN;
            Errors.passOn(e);
        } finally {
            // As in SlowPath.write.
            recorder.busy = false;
            recorder.limit =
                    (recorder.excluded | recorder.switched) == 0 && recorder.activity.owed == null
                            ? recorder.open
                            : ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = recorder.counting;
        }
        return number == NEW ? added(recorder, name) : number;
    }

    /** The number of a name that is not in the table. What this takes is no time of the thread. */
    private static int added(ThreadRecorder recorder, String name) {
        if (full) return UNKNOWN;
        try {
            long since = ExcludedTime.begin(recorder);
            try {
                return add(name);
            } finally {
                ExcludedTime.end(recorder, since);
            }
        } catch (Throwable e) {
            Errors.passOn(e);
            return UNKNOWN;
        }
    }

    private static int find(String name) {
        int hash = name.hashCode();
        for (int at = hash; ; at++) {
            Entry entry = TABLE[at & SLOTS - 1];
            if (entry == null) return NEW;
            if (entry.hash == hash && entry.name.equals(name)) return entry.number;
        }
    }

    private static int add(String name) {
        synchronized (LOCK) {
            int known = find(name);
            if (known != NEW) return known;
            if (full) return UNKNOWN;
            SessionData session = SessionData.current;
            String text = used + 1 + "\t" + name;
            int size = SessionData.infoSize(text);
            boolean fits = bytes + size <= Layout.CAUGHT_NAMES_BYTES;
            // One that does not fit is entered, too, so that it is not tried again.
            int number = fits && session.addInfo(Layout.INFO_CAUGHT_CLASS, text) ? used + 1 : 0;
            if (number != UNKNOWN) bytes += size;
            int hash = name.hashCode();
            int at = hash;
            while (TABLE[at & SLOTS - 1] != null) at++;
            TABLE[at & SLOTS - 1] = new Entry(name, hash, number);
            if (++used == Layout.CAUGHT_CLASSES_MAX) full = true;
            return number;
        }
    }
}
