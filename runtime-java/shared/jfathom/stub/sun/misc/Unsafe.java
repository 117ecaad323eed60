package jfathom.stub.sun.misc;

import java.lang.reflect.Field;

/** {@code sun.misc.Unsafe}. */
public abstract class Unsafe {
    public abstract long objectFieldOffset(Field field);

    public abstract long getLong(Object base, long offset);

    public abstract void putLong(Object base, long offset, long value);

    public abstract byte getByte(Object base, long offset);

    public abstract byte getByteVolatile(Object base, long offset);

    public abstract int getIntVolatile(Object base, long offset);

    public abstract void putOrderedInt(Object base, long offset, int value);

    public abstract long getLongVolatile(Object base, long offset);

    public abstract void putOrderedLong(Object base, long offset, long value);

    public abstract long getAndAddLong(Object base, long offset, long delta);

    public abstract void putByte(Object base, long offset, byte value);
}
