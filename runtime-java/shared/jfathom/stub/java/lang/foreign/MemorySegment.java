package jfathom.stub.java.lang.foreign;

/** {@code java.lang.foreign.MemorySegment}. */
public interface MemorySegment {
    MemorySegment NULL = ValueLayout.never();

    static MemorySegment ofAddress(long address) {
        return null;
    }

    static MemorySegment ofBuffer(java.nio.Buffer buffer) {
        return null;
    }

    MemorySegment reinterpret(long bytes);

    long address();

    long byteSize();

    void set(ValueLayout.OfByte layout, long offset, byte value);
}
