package jfathom.runtime;

import java.util.Collection;

/** Probes that do next to nothing, for code that runs before the VM is up. */
public final class Probe {
    private static int depth;

    public static void methodEntry(int id) { depth++; }
    public static void methodExit(int id) { depth--; }
    public static void methodThrow(int id) { depth--; }
    public static void innerEntry(int id) { depth++; }
    public static void innerExit(int id) { depth--; }
    public static void innerThrow(int id) { depth--; }
    public static void rootEntry(int id) { depth++; }
    public static void rootExit(int id) { depth--; }
    public static void rootThrow(int id) { depth--; }
    public static void handleAny(int id) {}
    public static void handleCatch(Object exception, int id) {}
    public static int taskEntry(Object task) { return 0; }
    public static void taskExit(int opened) {}
    public static Object handOff(Object task) { return task; }
    public static void handOffReceiver(Object task) {}
    public static Object handOffPeriodic(Object task) { return task; }
    public static Object handOffFunction(Object task) { return task; }
    public static Collection<?> handOffAll(Collection<?> tasks) { return tasks; }
}
