package jfathom.runtime;

import java.util.Collection;

/**
 * A stand-in for the runtime: writes what was called into a log that the harness empties after each
 * case.
 */
public final class Probe {
    public static final boolean ENABLED = !Boolean.getBoolean("jfathom.disabled");
    private static final StringBuffer LOG = new StringBuffer();

    public static String takeLog() {
        synchronized (LOG) {
            String log = LOG.toString();
            LOG.setLength(0);
            return log.trim();
        }
    }

    private static void log(char what, Object id) {
        LOG.append(what + String.valueOf(id) + ' ');
    }

    public static int methodEntry(int id) { log('+', id); return id + 1; }
    public static void countedEntry(int id) { log('+', id); }
    public static void countedInnerEntry(int id) { log('+', id); }
    public static void methodExit(int token) { if (token != 0) log('-', token - 1); }
    public static void methodThrow(int token) { if (token != 0) log('!', token - 1); }
    public static int innerEntry(int id) { log('+', id); return id + 1; }
    public static void rootEntry(int id) { log('+', id); log('(', id); }
    public static void rootExit(int id) { log(')', id); log('-', id); }
    public static void rootThrow(int id) { log(')', id); log('!', id); }
    public static void resumed(int label, int id) { if (label != 0) log('~', id); }
    public static void handleAny(int token) { if (token != 0) log('^', caughtBy(token)); }

    private static int caughtBy(int token) {
        return token < 0 ? ~token : token - 1;
    }

    /** The exception must be what the handler finds, and not null. */
    public static void handleCatch(Object exception, int token) {
        if (token != 0) log('^', exception instanceof Throwable ? caughtBy(token) : "lost");
    }

    private static String kind(Object task) {
        return task == null ? "null" : task instanceof Collection ? "collection" : "task";
    }

    public static int taskEntry(Object task) {
        log('[', "task");
        return System.identityHashCode(task);
    }

    /**
     * What the task's entry gave must come back: the hash of the object that was seen last, or the
     * log says so.
     */
    public static void taskExit(int opened) {
        log(']', opened == 0 ? "lost" : "task");
    }

    public static Object handOff(Object task) { log('h', kind(task)); return task; }
    public static void handOffReceiver(Object task) { log('h', kind(task)); }
    public static Object handOffPeriodic(Object task) { log('p', kind(task)); return task; }
    public static Object handOffFunction(Object task) { log('f', kind(task)); return task; }
    public static Collection<?> handOffAll(Collection<?> tasks) { log('a', kind(tasks));
        return tasks; }
}
