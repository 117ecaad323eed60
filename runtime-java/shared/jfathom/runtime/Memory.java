package jfathom.runtime;

import java.io.IOException;
import java.nio.MappedByteBuffer;

/**
 * How the session file's memory is reached. One implementation is chosen and no other loaded, so that every call has one
 * target and is inlined.
 */
abstract class Memory {
    /** Feature version of the JVM. */
    static final int JAVA = Runtime.version().feature();
    /** Whether {@code Thread.threadId} exists, which no subclass can override. */
    static final boolean THREAD_ID = JAVA >= 19;
    /** Whether the processor lets no load overtake an earlier one. */
    static final boolean LOADS_IN_ORDER = "amd64".equals(System.getProperty("os.arch"));

    /** What the mapping is to this memory. */
    abstract Region region(MappedByteBuffer buffer) throws IOException;

    /**
     * The mode of a method; OFF for ids outside the span. Who sees a new mode sees its {@link #epoch} afterwards: the processor
     * keeps the order of the loads, or an acquire does. Where it does, the load is a plain one, which spares compiled code a barrier:
     * what records or counts writes to raw memory or calls, so that no compiler can take a mode out of a loop that does either.
     */
    abstract int mode(int id);

    /** The number of the last change of modes, read anew each time. */
    abstract int epoch();

    /** Adds one, plainly, to the counter at this place in the block that has this {@link Region#store}. */
    abstract void increment(Object store, long place);

    /**
     * Thread.getId as Thread itself gives it, where it can be had: spreads threads over the table. Never overridable, never below
     * zero, the same for a thread's life.
     */
    abstract long tid(Thread thread);

    /** Whether no two threads have the same {@link #tid}. */
    boolean unique() {
        return true;
    }

    /** Commits a record: never zero, after all that was stored before. */
    abstract void put(ThreadRecorder recorder, long place, long record);

    /** Reads the word at a record's place. */
    abstract long peek(ThreadRecorder recorder, long place);

    abstract int getInt(Region region, long offset);

    abstract void putInt(Region region, long offset, int value);

    abstract long getLong(Region region, long offset);

    abstract void putLong(Region region, long offset, long value);

    /** Adds atomically. */
    abstract void add(Region region, long offset, long delta);

    abstract void putByte(Region region, long offset, byte value);
}
