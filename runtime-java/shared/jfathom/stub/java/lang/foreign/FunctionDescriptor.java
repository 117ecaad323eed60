package jfathom.stub.java.lang.foreign;

/** {@code java.lang.foreign.FunctionDescriptor}. */
public interface FunctionDescriptor {
    static FunctionDescriptor of(MemoryLayout result, MemoryLayout... arguments) {
        return null;
    }
}
