package jfathom.runtime;

/** What probes ask first. Plain fields: each question is one load. */
final class Gate {
    /**
     * Whether a session is open. Written by the {@link Host} and, live, by {@link AgentInterface};
     * plain, because a probe may see it late.
     */
    static boolean on;
    /**
     * How many threads may be inside. Not above 0: no probe within roots has anything to do.
     * Written by {@link Inside}; plain, because a thread that is inside sees what it has itself
     * added.
     */
    static int inside;
    /**
     * Whether the session is still to be opened: the JVM's start had not come far enough (placement
     * in java.base). Written by the {@link Host}.
     */
    static boolean pending;

    private Gate() {}
}
