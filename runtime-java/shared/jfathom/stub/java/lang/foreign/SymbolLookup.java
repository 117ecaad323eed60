package jfathom.stub.java.lang.foreign;

import java.util.Optional;

/** {@code java.lang.foreign.SymbolLookup}. */
public interface SymbolLookup {
    Optional<MemorySegment> find(String name);
}
