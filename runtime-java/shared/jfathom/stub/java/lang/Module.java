package jfathom.stub.java.lang;

/** {@code java.lang.Module} of Java 22. */
public abstract class Module {
    public abstract boolean isNativeAccessEnabled();
}
