package jfathom.runtime;

/** Native access of modules. Links from 22 on. */
final class NativeAccess {
    private NativeAccess() {}

    /** Whether the module may call restricted methods without a warning. */
    static boolean isEnabled(Module module) {
        return ((jfathom.stub.java.lang.Module) (Object) module).isNativeAccessEnabled();
    }
}
