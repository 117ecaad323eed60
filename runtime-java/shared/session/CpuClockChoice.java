package jfathom.runtime;

/** Whether the CPU clocks of threads can be read. */
final class CpuClockChoice {
    /** Whether there is a way to read them; found out once in a JVM. */
    private static Boolean isThere;

    private CpuClockChoice() {}

    /**
     * Whether the clock can be read. The first call links the native method, which runs Java code.
     * By the thread that opens a session.
     */
    static boolean isThere() {
        if (isThere == null) {
            try {
                isThere = TscChoice.canUseLibrary() && Variant.HOST.threadCpuNanos() > 0;
            } catch (UnsatisfiedLinkError e) {
                // As without a library.
                isThere = false;
            }
        }
        return isThere;
    }
}
