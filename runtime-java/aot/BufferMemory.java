package jfathom.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;

/**
 * Memory through byte buffers: where nothing else can be had, such as on 11 to 21 without the
 * module jdk.unsupported.
 */
final class BufferMemory extends Memory {
    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The head as a constant. */
    private static final class Head {
        static final ByteBuffer BUFFER = (ByteBuffer) Session.HEAD.store;
    }

    @Override
    Region region(MappedByteBuffer buffer) {
        return new Region(0, buffer.order(ByteOrder.LITTLE_ENDIAN));
    }

    @Override
    int mode(int id) {
        if (id < 0 || id >= Session.IDS) return UnrecordedCalls.outsideSpan();
        // No such read of one byte exists: reads the aligned word that holds it.
        int word = (int) INT.getAcquire(Head.BUFFER, (int) Session.MODES + (id & ~3));
        return (byte) (word >>> ((id & 3) << 3));
    }

    @Override
    int pauses() {
        return (int) INT.getOpaque(Head.BUFFER, (int) Session.PAUSES);
    }

    @Override
    boolean count(int id) {
        long tid = tid(Thread.currentThread());
        int slot = (int) tid & Session.TABLE_MASK;
        if (CounterTable.ROWS[slot << 1] != tid || !CounterTable.has(id)) return false;
        int base = (int) CounterTable.ROWS[(slot << 1) + 1];
        ByteBuffer buffer = (ByteBuffer) CounterTable.STORES[slot][0];
        if (CounterTable.isBehind(id)) {
            base = (int) (long) LONG.get(buffer, base + CounterTable.nextBase(id));
            if (base == 0) return false;
            buffer = (ByteBuffer) CounterTable.STORES[slot][CounterTable.block(id)];
        }
        buffer.put(base + CounterTable.group(id), (byte) 1);
        buffer.put(base + CounterTable.line(id), (byte) 1);
        int place = base + CounterTable.counter(id);
        LONG.set(buffer, place, (long) LONG.get(buffer, place) + 1);
        return true;
    }

    @Override
    boolean hasAddresses() {
        return false;
    }

    @Override
    long counter(Object store, long place) {
        return (long) LONG.get((ByteBuffer) store, (int) place);
    }

    @Override
    void setCounter(Object store, long place, long counter) {
        LONG.set((ByteBuffer) store, (int) place, counter);
    }

    @Override
    void setMark(Object store, long place, byte mark) {
        ((ByteBuffer) store).put((int) place, mark);
    }

    @Override
    long tid(Thread thread) {
        return Jvm.THREAD_ID ? ThreadApi.threadId(thread) : System.identityHashCode(thread);
    }

    @Override
    boolean hasUniqueTids() {
        return Jvm.THREAD_ID;
    }

    @Override
    void put(Object store, long place, long record) {
        LONG.setRelease((ByteBuffer) store, (int) place, record);
    }

    @Override
    long peek(Object store, long place) {
        return (long) LONG.getAcquire((ByteBuffer) store, (int) place);
    }

    @Override
    int getInt(Region region, long offset) {
        return (int) INT.getAcquire((ByteBuffer) region.store, (int) (region.origin + offset));
    }

    @Override
    void putInt(Region region, long offset, int value) {
        INT.setRelease((ByteBuffer) region.store, (int) (region.origin + offset), value);
    }

    @Override
    long getLong(Region region, long offset) {
        return (long) LONG.getAcquire((ByteBuffer) region.store, (int) (region.origin + offset));
    }

    @Override
    void putLong(Region region, long offset, long value) {
        LONG.setRelease((ByteBuffer) region.store, (int) (region.origin + offset), value);
    }

    @Override
    void add(Region region, long offset, long delta) {
        ByteBuffer buffer = (ByteBuffer) region.store;
        long before = (long) LONG.getAndAdd(buffer, (int) (region.origin + offset), delta);
    }

    @Override
    void putByte(Region region, long offset, byte value) {
        ((ByteBuffer) region.store).put((int) (region.origin + offset), value);
    }
}
