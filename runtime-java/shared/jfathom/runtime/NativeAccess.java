package jfathom.runtime;

/** Whether restricted methods may be called silently; from 22 on. */
final class NativeAccess {
    private NativeAccess() {}

    static boolean enabled(Module module) {
        return ((jfathom.stub.java.lang.Module) (Object) module).isNativeAccessEnabled();
    }
}
