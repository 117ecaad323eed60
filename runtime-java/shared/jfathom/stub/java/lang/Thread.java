package jfathom.stub.java.lang;

/** {@code java.lang.Thread} of Java 21. */
public abstract class Thread {
    public abstract boolean isVirtual();

    public abstract long threadId();
}
