package jfathom.runtime;

/** Addresses of variables of the JVM, from the clock library: {@link Host#vmSymbol}. */
final class VmSymbols {
    private VmSymbols() {}

    static native long address(int which);
}
