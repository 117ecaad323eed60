package jfathom.stub.jdk.internal.misc;

/** {@code jdk.internal.misc.VM}. */
public abstract class VM {
    public static boolean isBooted() {
        return false;
    }
}
