package jfathom.runtime;

import java.nio.Buffer;
import java.nio.MappedByteBuffer;
import jfathom.stub.jdk.internal.misc.Unsafe;

/** Memory through {@code jdk.internal.misc.Unsafe}. {@code UnsafeMemory} is made of this text. */
final class InternalMemory extends Memory {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long ADDRESS = UNSAFE.objectFieldOffset(Buffer.class, "address");
    private static final long TID =
            Jvm.THREAD_ID ? 0 : UNSAFE.objectFieldOffset(Thread.class, "tid");

    @Override
    Region region(MappedByteBuffer buffer) {
        return new Region(UNSAFE.getLong(buffer, ADDRESS), buffer);
    }

    @Override
    int mode(int id) {
        if (id < 0 || id >= Session.IDS) return UnrecordedCalls.outsideSpan();
        return Jvm.LOADS_IN_ORDER
                ? UNSAFE.getByte(null, Session.MODES + id)
                : UNSAFE.getByteAcquire(null, Session.MODES + id);
    }

    @Override
    int pauses() {
        return UNSAFE.getIntOpaque(null, Session.PAUSES);
    }

    @Override
    boolean count(int id) {
        long tid = tid(Thread.currentThread());
        int row = ((int) tid & Session.TABLE_MASK) << 1;
        if (CounterTable.ROWS[row] != tid || !CounterTable.has(id)) return false;
        long base = CounterTable.ROWS[row + 1];
        if (CounterTable.isBehind(id)) {
            base = UNSAFE.getLong(null, base + CounterTable.nextBase(id));
            if (base == 0) return false;
        }
        UNSAFE.putByte(null, base + CounterTable.group(id), (byte) 1);
        UNSAFE.putByte(null, base + CounterTable.line(id), (byte) 1);
        long place = base + CounterTable.counter(id);
        UNSAFE.putLong(null, place, UNSAFE.getLong(null, place) + 1);
        return true;
    }

    @Override
    long counter(Object store, long place) {
        return UNSAFE.getLong(null, place);
    }

    @Override
    void setCounter(Object store, long place, long counter) {
        UNSAFE.putLong(null, place, counter);
    }

    @Override
    void setMark(Object store, long place, byte mark) {
        UNSAFE.putByte(null, place, mark);
    }

    @Override
    long tid(Thread thread) {
        return Jvm.THREAD_ID ? ThreadApi.threadId(thread) : UNSAFE.getLong(thread, TID);
    }

    @Override
    long javaThread(Thread thread) {
        return UNSAFE.getLong(thread, UNSAFE.objectFieldOffset(Thread.class, "eetop"));
    }

    @Override
    void put(Object store, long place, long record) {
        UNSAFE.putLongRelease(null, place, record);
    }

    @Override
    long peek(Object store, long place) {
        return UNSAFE.getLongAcquire(null, place);
    }

    @Override
    int getInt(Region region, long offset) {
        return UNSAFE.getIntAcquire(null, region.origin + offset);
    }

    @Override
    void putInt(Region region, long offset, int value) {
        UNSAFE.putIntRelease(null, region.origin + offset, value);
    }

    @Override
    long getLong(Region region, long offset) {
        return UNSAFE.getLongAcquire(null, region.origin + offset);
    }

    @Override
    void putLong(Region region, long offset, long value) {
        UNSAFE.putLongRelease(null, region.origin + offset, value);
    }

    @Override
    void add(Region region, long offset, long delta) {
        UNSAFE.getAndAddLong(null, region.origin + offset, delta);
    }

    @Override
    void putByte(Region region, long offset, byte value) {
        UNSAFE.putByte(null, region.origin + offset, value);
    }
}
