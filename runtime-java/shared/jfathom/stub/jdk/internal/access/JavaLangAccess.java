package jfathom.stub.jdk.internal.access;

/** {@code jdk.internal.access.JavaLangAccess} of Java 21. */
public interface JavaLangAccess {
    Thread currentCarrierThread();
}
