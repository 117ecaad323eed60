package jfathom.runtime;

/**
 * One ring of the session file, used by one thread after another. Its fields are written under
 * {@link ThreadTable#LOCK}.
 */
final class Ring {
    /** Ring header and slots. */
    final Region region;
    /** Number of the descriptor in the ring directory. */
    final int index;
    /** Number of slots, a power of two. */
    final int slots;
    /** Place of the first slot. */
    final long origin;
    /** The counters of the thread that owns the ring. */
    final ThreadCounters counters = new ThreadCounters();
    /** Position of the next record; valid while no thread owns the ring. */
    long position;

    Ring(Region region, int index, int slots) {
        this.region = region;
        this.index = index;
        this.slots = slots;
        this.origin = region.origin + Layout.RING_HEADER_BYTES;
    }

    /** Offset in the head of the ring's descriptor. */
    long descriptor() {
        return Session.DIRECTORY + (long) index * Layout.DESCRIPTOR_BYTES;
    }
}
