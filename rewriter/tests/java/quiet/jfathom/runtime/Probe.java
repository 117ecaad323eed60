package jfathom.runtime;

import java.util.Collection;

/** Probes that do next to nothing, for code that runs before the VM is up. */
public final class Probe {
    public static final boolean ENABLED = true;
    private static int depth;

    public static int methodEntry(int id) { depth++; return id + 1; }
    public static void methodExit(int token) { depth--; }
    public static void methodThrow(int token) { depth--; }
    public static int innerEntry(int id) { depth++; return id + 1; }
    public static void rootEntry(int id) { depth++; }
    public static void rootExit(int id) { depth--; }
    public static void rootThrow(int id) { depth--; }
    public static void handleAny(int token) {}
    public static void handleCatch(Object exception, int token) {}
    public static int taskEntry(Object task) { return 0; }
    public static void taskExit(int opened) {}
    public static Object handOff(Object task) { return task; }
    public static void handOffReceiver(Object task) {}
    public static Object handOffPeriodic(Object task) { return task; }
    public static Object handOffFunction(Object task) { return task; }
    public static Collection<?> handOffAll(Collection<?> tasks) { return tasks; }
}
