package jfathom.runtime;

/** How far a thread's COUNTED records have come. Only the thread itself reads and writes it. */
final class CountedRecords {
    /** A record of few calls that another method may share; 0 without one. */
    long few;
    /** Records written so far, in the bits of a counter's tag. */
    long written;
}
