package jfathom.stub.java.lang.foreign;

/** {@code java.lang.foreign.AddressLayout}. */
public interface AddressLayout extends ValueLayout {}
