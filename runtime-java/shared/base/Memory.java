package jfathom.runtime;

import java.io.IOException;
import java.nio.MappedByteBuffer;

/**
 * Access to the session file's memory. One implementation is chosen and no other loaded, so that
 * every call has one target and is inlined.
 */
abstract class Memory {
    /** The region of a mapping. */
    abstract Region region(MappedByteBuffer buffer) throws IOException;

    /**
     * The mode of a method; OFF for ids outside the span. A thread that sees a new flag sees what
     * was written before it: the processor keeps the order of the loads, or an acquire does. Where
     * the processor does, the load is plain, which spares compiled code a barrier. No compiler can
     * move it out of a loop that records or counts: both write to raw memory or call.
     */
    abstract int mode(int id);

    /** The number of the agent's last pause, read anew each time. */
    abstract int pauses();

    /**
     * Counts a call in place. False if the current thread has no row in {@link CounterTable}, or no
     * counter of the id there. Written out in each memory, without a call but those that compilers
     * replace: with calls in it, compiled methods grow, and more of the program's own calls stay
     * calls.
     */
    abstract boolean count(int id);

    /** Whether places are addresses, so that no store is needed. */
    boolean hasAddresses() {
        return true;
    }

    /** The counter at {@code place} of a block with this store. Only its thread writes it. */
    abstract long counter(Object store, long place);

    abstract void setCounter(Object store, long place, long counter);

    /** Sets the mark at {@code place} of a block with this store. Only its thread writes it. */
    abstract void setMark(Object store, long place, byte mark);

    /**
     * A number that spreads threads over the table: Thread.getId as Thread itself gives it, where
     * that can be had. Never by a method that can be overridden, never below zero, and the same for
     * a thread's life.
     */
    abstract long tid(Thread thread);

    /** Whether no two threads have the same {@link #tid}. */
    boolean hasUniqueTids() {
        return true;
    }

    /**
     * Address of the JVM's own structure of a platform thread that is alive; 0 where it cannot be
     * had. If not, {@link #counter} without a store reads what is at an address.
     */
    long javaThread(Thread thread) {
        return 0;
    }

    /** Commits a record, which is never zero, with release order, to a ring with this store. */
    abstract void put(Object store, long place, long record);

    /** The word at the place of a record in a ring with this store, with acquire order. */
    abstract long peek(Object store, long place);

    // Offsets count from the region's first byte. Reads of int and long acquire, writes release.

    abstract int getInt(Region region, long offset);

    abstract void putInt(Region region, long offset, int value);

    abstract long getLong(Region region, long offset);

    abstract void putLong(Region region, long offset, long value);

    /** Adds atomically. */
    abstract void add(Region region, long offset, long delta);

    abstract void putByte(Region region, long offset, byte value);
}
