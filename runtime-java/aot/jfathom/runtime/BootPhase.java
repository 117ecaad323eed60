package jfathom.runtime;

import jfathom.stub.jdk.internal.misc.VM;

/** Whether the JVM is far enough up to open files. */
final class BootPhase {
    private BootPhase() {}

    /** Matters only in java.base, whose methods run from the JVM's first moment. */
    static boolean up() {
        return !inBase() || InBase.up();
    }

    /** Whether the runtime is part of java.base, so that what it calls there may be instrumented. */
    static boolean inBase() {
        return Probe.class.getModule() == Object.class.getModule();
    }

    /** Apart: the class VM is open to us only in java.base. */
    private static final class InBase {
        static boolean up() {
            return VM.isBooted() && !initializing();
        }

        /**
         * Whether this thread initialises a class of the JDK: what we call may then find that class half made, such as
         * {@code jdk.internal.vm.Continuation} before it has its native methods, without which no file can be mapped.
         */
        private static boolean initializing() {
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                String type = frame.getClassName();
                boolean ours = type.startsWith("java.") || type.startsWith("jdk.") || type.startsWith("sun.");
                if (ours && frame.getMethodName().equals("<clinit>")) return true;
            }
            return false;
        }
    }
}
