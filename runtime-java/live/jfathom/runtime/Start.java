package jfathom.runtime;

/** The session that is open, or was last. The agent opens it, through {@link Live}, not the first probe. */
final class Start {
    /** Read by {@link Session}, of the first session, and by what must be of the present one. */
    static Opening opening;
    /** Whether methods of the JDK have probes. */
    static boolean jdkMethods;

    private Start() {}

    static void begin() {}

    static void retry() {}

    /** Whether the task methods of this class, of the boot loader, have probes. */
    static boolean taskProbes(Class<?> type) {
        return false;
    }
}
