package jfathom.runtime;

import java.lang.invoke.VarHandle;
import java.nio.MappedByteBuffer;
import jfathom.stub.java.lang.foreign.MemorySegment;
import jfathom.stub.java.lang.foreign.ValueLayout;

/** Memory through segments, one for each mapping: from 22 on, without any flag. */
final class SegmentMemory extends Memory {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /**
     * The head as a constant. Not declared as a segment, so that the class links, and shows its
     * fields, on every JVM.
     */
    private static final class Head {
        static final Object SEGMENT = Session.HEAD.store;
    }

    @Override
    Region region(MappedByteBuffer buffer) {
        return new Region(0, MemorySegment.ofBuffer(buffer));
    }

    @Override
    int mode(int id) {
        return id >= 0 && id < Session.IDS
                ? (byte) BYTE.getAcquire((MemorySegment) Head.SEGMENT, Session.MODES + id)
                : UnrecordedCalls.outsideSpan();
    }

    @Override
    int pauses() {
        return (int) INT.getOpaque((MemorySegment) Head.SEGMENT, Session.PAUSES);
    }

    @Override
    boolean count(int id) {
        long tid = tid(Thread.currentThread());
        int slot = (int) tid & Session.TABLE_MASK;
        if (CounterTable.ROWS[slot << 1] != tid || !CounterTable.has(id)) return false;
        long base = CounterTable.ROWS[(slot << 1) + 1];
        MemorySegment segment = (MemorySegment) CounterTable.STORES[slot][0];
        if (CounterTable.isBehind(id)) {
            base = (long) LONG.get(segment, base + CounterTable.nextBase(id));
            if (base == 0) return false;
            segment = (MemorySegment) CounterTable.STORES[slot][CounterTable.block(id)];
        }
        BYTE.set(segment, base + CounterTable.group(id), (byte) 1);
        BYTE.set(segment, base + CounterTable.line(id), (byte) 1);
        long place = base + CounterTable.counter(id);
        LONG.set(segment, place, (long) LONG.get(segment, place) + 1);
        return true;
    }

    @Override
    boolean hasAddresses() {
        return false;
    }

    @Override
    long counter(Object store, long place) {
        return (long) LONG.get((MemorySegment) store, place);
    }

    @Override
    void setCounter(Object store, long place, long counter) {
        LONG.set((MemorySegment) store, place, counter);
    }

    @Override
    void setMark(Object store, long place, byte mark) {
        BYTE.set((MemorySegment) store, place, mark);
    }

    @Override
    long tid(Thread thread) {
        return ThreadApi.threadId(thread);
    }

    @Override
    void put(Object store, long place, long record) {
        LONG.setRelease((MemorySegment) store, place, record);
    }

    @Override
    long peek(Object store, long place) {
        return (long) LONG.getAcquire((MemorySegment) store, place);
    }

    @Override
    int getInt(Region region, long offset) {
        return (int) INT.getAcquire((MemorySegment) region.store, region.origin + offset);
    }

    @Override
    void putInt(Region region, long offset, int value) {
        INT.setRelease((MemorySegment) region.store, region.origin + offset, value);
    }

    @Override
    long getLong(Region region, long offset) {
        return (long) LONG.getAcquire((MemorySegment) region.store, region.origin + offset);
    }

    @Override
    void putLong(Region region, long offset, long value) {
        LONG.setRelease((MemorySegment) region.store, region.origin + offset, value);
    }

    @Override
    void add(Region region, long offset, long delta) {
        MemorySegment segment = (MemorySegment) region.store;
        long before = (long) LONG.getAndAdd(segment, region.origin + offset, delta);
    }

    @Override
    void putByte(Region region, long offset, byte value) {
        BYTE.setRelease((MemorySegment) region.store, region.origin + offset, value);
    }
}
