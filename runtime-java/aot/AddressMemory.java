package jfathom.runtime;

import java.lang.invoke.VarHandle;
import java.nio.MappedByteBuffer;
import jfathom.stub.java.lang.foreign.MemorySegment;
import jfathom.stub.java.lang.foreign.ValueLayout;

/** Memory through one segment over all addresses: from 22 on, where native access is enabled. */
final class AddressMemory extends Memory {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    /**
     * A MemorySegment over all addresses. Not declared as one, so that the class links, and shows
     * its fields, on every JVM.
     */
    private static final Object ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    @Override
    Region region(MappedByteBuffer buffer) {
        return new Region(MemorySegment.ofBuffer(buffer).address(), buffer);
    }

    @Override
    int mode(int id) {
        if (id < 0 || id >= Session.IDS) return UnrecordedCalls.outsideSpan();
        return Jvm.LOADS_IN_ORDER
                ? (byte) BYTE.get((MemorySegment) ALL, Session.MODES + id)
                : (byte) BYTE.getAcquire((MemorySegment) ALL, Session.MODES + id);
    }

    @Override
    int pauses() {
        return (int) INT.getOpaque((MemorySegment) ALL, Session.PAUSES);
    }

    @Override
    boolean count(int id) {
        long tid = tid(Thread.currentThread());
        int row = ((int) tid & Session.TABLE_MASK) << 1;
        if (CounterTable.ROWS[row] != tid || !CounterTable.has(id)) return false;
        long base = CounterTable.ROWS[row + 1];
        if (CounterTable.isBehind(id)) {
            base = (long) LONG.get((MemorySegment) ALL, base + CounterTable.nextBase(id));
            if (base == 0) return false;
        }
        BYTE.set((MemorySegment) ALL, base + CounterTable.group(id), (byte) 1);
        BYTE.set((MemorySegment) ALL, base + CounterTable.line(id), (byte) 1);
        long place = base + CounterTable.counter(id);
        LONG.set((MemorySegment) ALL, place, (long) LONG.get((MemorySegment) ALL, place) + 1);
        return true;
    }

    @Override
    long counter(Object store, long place) {
        return (long) LONG.get((MemorySegment) ALL, place);
    }

    @Override
    void setCounter(Object store, long place, long counter) {
        LONG.set((MemorySegment) ALL, place, counter);
    }

    @Override
    void setMark(Object store, long place, byte mark) {
        BYTE.set((MemorySegment) ALL, place, mark);
    }

    @Override
    long tid(Thread thread) {
        return ThreadApi.threadId(thread);
    }

    @Override
    void put(Object store, long place, long record) {
        LONG.setRelease((MemorySegment) ALL, place, record);
    }

    @Override
    long peek(Object store, long place) {
        return (long) LONG.getAcquire((MemorySegment) ALL, place);
    }

    @Override
    int getInt(Region region, long offset) {
        return (int) INT.getAcquire((MemorySegment) ALL, region.origin + offset);
    }

    @Override
    void putInt(Region region, long offset, int value) {
        INT.setRelease((MemorySegment) ALL, region.origin + offset, value);
    }

    @Override
    long getLong(Region region, long offset) {
        return (long) LONG.getAcquire((MemorySegment) ALL, region.origin + offset);
    }

    @Override
    void putLong(Region region, long offset, long value) {
        LONG.setRelease((MemorySegment) ALL, region.origin + offset, value);
    }

    @Override
    void add(Region region, long offset, long delta) {
        long before = (long) LONG.getAndAdd((MemorySegment) ALL, region.origin + offset, delta);
    }

    @Override
    void putByte(Region region, long offset, byte value) {
        BYTE.setRelease((MemorySegment) ALL, region.origin + offset, value);
    }
}
