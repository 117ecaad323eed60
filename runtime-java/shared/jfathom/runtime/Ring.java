package jfathom.runtime;

/** One ring of the session file, used by one thread after another. */
final class Ring {
    /** Header and slots. */
    final Region region;
    /** Place in the ring directory. */
    final int index;
    /** Number of slots, a power of two. */
    final int slots;
    /** Place of the first slot. */
    final long origin;
    /** Places of its chunks of counters, by number; 0 where there is none. Replaced where it must grow. */
    long[] chunks = ThreadRecorder.NO_CHUNKS;
    /** Place of the counter of id 0 in a block in which those of {@link Session#DIRECT_IDS} follow each other; 0 without one. */
    long direct;
    /** The blocks in which they are. */
    Region[] blocks = ThreadRecorder.NO_BLOCKS;
    /** Position of the next record; set while no thread owns the ring. */
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
