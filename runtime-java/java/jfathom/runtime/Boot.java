package jfathom.runtime;

import jfathom.stub.jdk.internal.misc.VM;

/** Whether the JVM is far enough up to open files. */
final class Boot {
    private Boot() {}

    /** Matters only in java.base, whose methods run from the JVM's first moment. */
    static boolean up() {
        return Probe.class.getModule() != Object.class.getModule() || InBase.up();
    }

    /** Apart: the class VM is open to us only in java.base. */
    private static final class InBase {
        static boolean up() {
            return VM.isBooted();
        }
    }
}
