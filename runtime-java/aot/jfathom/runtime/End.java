package jfathom.runtime;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** The clean end of a session. All records are in the file already: a JVM that is killed loses only the mark. */
final class End extends Thread {
    private End() {
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
    private static End detached() {
        try {
            return AccessController.doPrivileged(
                    new PrivilegedAction<End>() {
                        @Override
                        public End run() {
                            End end = new End();
                            end.setContextClassLoader(null);
                            return end;
                        }
                    });
        } catch (LinkageError e) {
            // A Java without access control: nothing is kept.
            return new End();
        }
    }

    @Override
    public void run() {
        try {
            Ending.flush();
            if (Start.opening.calibrateEnd) Calibration.atEnd();
            Ending.close();
        } catch (Throwable e) {
            Slow.passOn(e);
        }
    }
}
