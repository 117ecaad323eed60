package jfathom.runtime;

import jfathom.stub.jdk.internal.misc.VM;

/** How far the JVM's start has come: in java.base probes run from the JVM's first moment. */
final class BootPhase {
    private BootPhase() {}

    /** Whether files can be opened. Always so where the runtime is not part of java.base. */
    static boolean isComplete() {
        return !isInJavaBase() || JavaBase.isComplete();
    }

    /** Whether the runtime is part of java.base, so that JDK methods it calls may have probes. */
    static boolean isInJavaBase() {
        return Probe.class.getModule() == Object.class.getModule();
    }

    /** A class of its own: only java.base can link {@code VM}. */
    private static final class JavaBase {
        static boolean isComplete() {
            return VM.isBooted() && !isInitialisingJdkClass();
        }

        /**
         * Whether this thread initialises a class of the JDK. What the runtime calls may then find
         * that class half initialised. An example is {@code jdk.internal.vm.Continuation} before
         * its native methods are registered: no file can be mapped without them.
         */
        private static boolean isInitialisingJdkClass() {
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                String type = frame.getClassName();
                boolean jdk =
                        type.startsWith("java.")
                                || type.startsWith("jdk.")
                                || type.startsWith("sun.");
                if (jdk && frame.getMethodName().equals("<clinit>")) return true;
            }
            return false;
        }
    }
}
