package jfathom.stub.jdk.internal.vm;

/** {@code jdk.internal.vm.ContinuationSupport} of Java 21. */
public class ContinuationSupport {
    public static boolean isSupported() {
        return false;
    }
}
