package jfathom.runtime;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** The clean end of a session. All records are in the file already: a JVM that is killed loses only the mark. */
final class ShutdownHook extends Thread {
    private ShutdownHook() {
        super("jfathom-end");
    }

    static void watch() {
        try {
            Runtime.getRuntime().addShutdownHook(detached());
        } catch (IllegalStateException e) {
            // The JVM is on its way down: then without the mark.
        }
    }

    /**
     * A thread keeps the context class loader of the thread that makes it and, up to Java 23, the protection domains of all
     * classes on the stack, and so their loaders: here those of the method with the first probe, which must stay free to be
     * unloaded. A privileged action ends at our own domain.
     */
    private static ShutdownHook detached() {
        try {
            return AccessController.doPrivileged(
                    new PrivilegedAction<ShutdownHook>() {
                        @Override
                        public ShutdownHook run() {
                            ShutdownHook end = new ShutdownHook();
                            end.setContextClassLoader(null);
                            return end;
                        }
                    });
        } catch (LinkageError e) {
            // A Java without access control: nothing is kept.
            return new ShutdownHook();
        }
    }

    @Override
    public void run() {
        try {
            SessionEnd.flush();
            if (Start.opening.calibrateEnd) Calibration.atEnd();
            SessionEnd.close();
        } catch (Throwable e) {
            SlowPath.passOn(e);
        }
    }
}
