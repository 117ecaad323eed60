package jfathom.runtime;

/** What probes ask first. Plain fields: each question is one load. */
final class Gate {
    /**
     * Whether a session is open. Written by the {@link Host} and, live, by {@link AgentInterface};
     * plain, because a probe may see it late.
     */
    static boolean on;
    /** No thread is inside: no probe within roots has anything to do. */
    static final int NOBODY = 0;
    /** A session is open, and threads are not counted. */
    static final int MANY = 1;
    /** A thread is inside. Roots are sampled, so that most calls are on other threads. */
    static final int FEW = -1;

    /**
     * Whether threads may be inside: NOBODY, MANY or FEW. Written by {@link Inside}; plain, because
     * a thread that is inside sees what it has itself added.
     */
    static int inside;
    /**
     * Whether the session is still to be opened: the JVM's start had not come far enough (placement
     * in java.base). Written by the {@link Host}.
     */
    static boolean pending;

    private Gate() {}
}
