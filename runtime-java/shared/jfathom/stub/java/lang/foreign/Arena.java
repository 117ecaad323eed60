package jfathom.stub.java.lang.foreign;

/** {@code java.lang.foreign.Arena}. */
public interface Arena {
    static Arena global() {
        return null;
    }
}
