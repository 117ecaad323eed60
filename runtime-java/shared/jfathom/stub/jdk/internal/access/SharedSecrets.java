package jfathom.stub.jdk.internal.access;

/** {@code jdk.internal.access.SharedSecrets}. */
public abstract class SharedSecrets {
    public static JavaLangAccess getJavaLangAccess() {
        return null;
    }
}
