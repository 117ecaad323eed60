package jfathom.runtime;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * The clean end of a session. All records are in the session file already: a JVM that is killed
 * loses only the mark STATE_ENDED.
 */
final class ShutdownHook extends Thread {
    private ShutdownHook() {
        super("jfathom-end");
    }

    static void install() {
        try {
            Runtime.getRuntime().addShutdownHook(detached());
        } catch (IllegalStateException e) {
            // The JVM is shutting down: the session ends without the mark.
        }
    }

    /**
     * A hook that keeps no class loader alive. A thread keeps the context class loader of the
     * thread that makes it. Up to Java 23 it keeps the protection domains of all classes on the
     * stack, too, and so their loaders. Here those are of the method with the first probe, which
     * must stay free to be unloaded. A privileged action ends at the runtime's own domain.
     */
    private static ShutdownHook detached() {
        try {
            return AccessController.doPrivileged(
                    new PrivilegedAction<ShutdownHook>() {
                        @Override
                        public ShutdownHook run() {
                            ShutdownHook hook = new ShutdownHook();
                            hook.setContextClassLoader(null);
                            return hook;
                        }
                    });
        } catch (LinkageError e) {
            // A Java without access control: the thread keeps no protection domain.
            return new ShutdownHook();
        }
    }

    @Override
    public void run() {
        try {
            SessionEnd.stamp();
            SessionEnd.flush();
            if (SessionData.current.calibrateEnd) Calibration.atEnd();
            SessionEnd.close();
        } catch (Throwable e) {
            Errors.passOn(e);
        }
    }
}
