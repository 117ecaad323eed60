package jfathom.runtime;

/** What {@link Threads} keeps of a thread recorder. */
final class Registration {
    /** Index in the list of all thread recorders; guarded by {@link ThreadTable#LOCK}. */
    int index;
    /**
     * Whether the thread was handed off and has not reached its first probe. Written by the one
     * that hands it off, before it starts, and then by the thread itself.
     */
    boolean handedOff;
    /** When it was handed off, by System.nanoTime. */
    long since;
}
