package jfathom.stub.java.lang.foreign;

import java.lang.invoke.VarHandle;

/** {@code java.lang.foreign.ValueLayout}. */
public interface ValueLayout extends MemoryLayout {
    AddressLayout ADDRESS = never();
    OfByte JAVA_BYTE = never();
    OfInt JAVA_INT = never();
    OfLong JAVA_LONG = never();

    VarHandle varHandle();

    /** The fields must not be constants, or the compiler would fold them. */
    static <T> T never() {
        return null;
    }

    interface OfByte extends ValueLayout {}

    interface OfInt extends ValueLayout {}

    interface OfLong extends ValueLayout {}
}
