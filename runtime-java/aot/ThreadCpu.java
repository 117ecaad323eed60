package jfathom.runtime;

/** The CPU clock of the current thread, from the clock library: {@link Host#threadCpuNanos}. */
final class ThreadCpu {
    private ThreadCpu() {}

    static native long nanos();
}
