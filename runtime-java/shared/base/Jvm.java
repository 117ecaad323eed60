package jfathom.runtime;

/** What the JVM and the processor are, as constants. */
final class Jvm {
    /** Feature version of the JVM. */
    static final int JAVA = Runtime.version().feature();
    /** Whether {@code Thread.threadId} exists, which no subclass can override. */
    static final boolean THREAD_ID = JAVA >= 19;
    /** Whether the processor lets no load overtake an earlier one. */
    static final boolean LOADS_IN_ORDER = "amd64".equals(System.getProperty("os.arch"));

    private Jvm() {}
}
