package jfathom.stub.jdk.internal.vm;

/** {@code jdk.internal.vm.Continuation} of Java 21. */
public abstract class Continuation {
    public static void pin() {}

    public static void unpin() {}
}
