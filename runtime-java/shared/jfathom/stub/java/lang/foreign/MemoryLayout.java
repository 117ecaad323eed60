package jfathom.stub.java.lang.foreign;

/** {@code java.lang.foreign.MemoryLayout}. */
public interface MemoryLayout {}
