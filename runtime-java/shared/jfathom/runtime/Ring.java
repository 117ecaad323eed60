package jfathom.runtime;

/**
 * One ring of the session file, used by one thread after another. Its fields are written under
 * {@link Threads#LOCK}.
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
    /**
     * Places of the counter chunks by number, 0 where there is none. The thread that owns the ring
     * reads the array without the lock; it is replaced when it must grow.
     */
    long[] chunks = ThreadRecorder.NO_CHUNKS;
    /**
     * Place of the counter of id 0 in a counter block in which those of {@link Session#DIRECT_IDS}
     * follow each other; 0 without such a block.
     */
    long direct;
    /** Places of the line marks of each chunk ({@link Counters}), where {@code chunks} has one. */
    long[] lines = ThreadRecorder.NO_CHUNKS;
    /** Places of the mark of each chunk. */
    long[] marks = ThreadRecorder.NO_CHUNKS;
    /** The counter blocks that hold the chunks. */
    Region[] blocks = ThreadRecorder.NO_BLOCKS;
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
