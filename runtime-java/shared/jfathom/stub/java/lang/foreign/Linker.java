package jfathom.stub.java.lang.foreign;

import java.lang.invoke.MethodHandle;

/** {@code java.lang.foreign.Linker}. */
public interface Linker {
    static Linker nativeLinker() {
        return null;
    }

    SymbolLookup defaultLookup();

    MethodHandle downcallHandle(
            MemorySegment symbol, FunctionDescriptor function, Option... options);

    interface Option {
        static Option critical(boolean allowHeapAccess) {
            return null;
        }
    }
}
