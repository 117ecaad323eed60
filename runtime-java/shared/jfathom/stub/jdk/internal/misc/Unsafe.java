package jfathom.stub.jdk.internal.misc;

/** {@code jdk.internal.misc.Unsafe}. */
public abstract class Unsafe {
    public static Unsafe getUnsafe() {
        return null;
    }

    public abstract long objectFieldOffset(Class<?> type, String name);

    public abstract int getInt(Object base, long offset);

    public abstract long getLong(Object base, long offset);

    public abstract void putLong(Object base, long offset, long value);

    public abstract byte getByte(Object base, long offset);

    public abstract byte getByteAcquire(Object base, long offset);

    public abstract int getIntOpaque(Object base, long offset);

    public abstract int getIntAcquire(Object base, long offset);

    public abstract void putIntRelease(Object base, long offset, int value);

    public abstract long getLongAcquire(Object base, long offset);

    public abstract void putLongRelease(Object base, long offset, long value);

    public abstract long getAndAddLong(Object base, long offset, long delta);

    public abstract void putByte(Object base, long offset, byte value);
}
