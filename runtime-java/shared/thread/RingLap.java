package jfathom.runtime;

/**
 * Where a thread stands in its ring, beside the place of its next record: what is asked where the
 * fast path ends. Only the thread itself reads and writes it, or before it starts the one that
 * hands it off.
 */
final class RingLap {
    /** A number of records that the consumer never has handed back. */
    static final long NEVER = -1;

    /** Position (in records) of the ring's first slot in the present lap. */
    long start;
    /** Place after the ring's last slot. */
    long end;
    /** Records that the consumer had handed back when a wait was in vain; NEVER before one was. */
    long gaveUpAt = NEVER;
}
