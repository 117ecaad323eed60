package jfathom.runtime;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Has the JVM's own recorder (JFR) write events with the session's clock, so that what JFR
 * records can be put among the session's records, and sets up {@link StackWalks}. Loaded only for
 * sessions that ask for it.
 *
 * <p>A thread of its own sets JFR up: that takes a while and locks of JFR, which the program's
 * thread that opens the session may hold. Probes on it do nothing.
 */
final class JfrClock extends Thread {
    /** Whether a session wants events. Guarded by the class. */
    private static boolean isWanted;
    /** Whether JFR calls {@link #event} and {@link #ofChunks}. Guarded by the class. */
    private static boolean isCalled;
    /** Made for the first session, kept for later ones; null before. Written under the class. */
    private static volatile JfrClockEvent event;
    /** As {@link #event}. Guarded by the class. */
    private static JfrClockEvent ofChunks;
    /** Made for the first session that walks stacks, kept for later ones. Guarded by the class. */
    private static JfrStackEvent stackEvent;

    private JfrClock() {
        super("jfathom-jfr");
    }

    /** Begins to have events written, soon. */
    static void open() {
        synchronized (JfrClock.class) {
            isWanted = true;
        }
        JfrClock thread = detached();
        thread.setDaemon(true);
        thread.start();
    }

    /** A thread that keeps no class loader of the program alive, as {@code ShutdownHook}. */
    private static JfrClock detached() {
        try {
            return AccessController.doPrivileged(
                    new PrivilegedAction<JfrClock>() {
                        @Override
                        public JfrClock run() {
                            JfrClock thread = new JfrClock();
                            thread.setContextClassLoader(null);
                            return thread;
                        }
                    });
        } catch (LinkageError e) {
            return new JfrClock();
        }
    }

    @Override
    public void run() {
        try {
            synchronized (JfrClock.class) {
                if (!isWanted || isCalled) return;
                if (SessionData.current.stacks) setUpStacks();
                setUp();
                isCalled = true;
            }
            write();
        } catch (Throwable e) {
            // No JFR, or none that may be used: its recording has no such events, which shows.
        }
    }

    private static void setUp() throws Throwable {
        JfrClockEvent made = event;
        if (made == null) {
            made = JfrClockEvent.periodic();
            ofChunks = JfrClockEvent.ofChunks();
        } else {
            made.register();
            ofChunks.register();
        }
        JfrClockEvent.beginSession();
        ofChunks.begin();
        made.begin();
        event = made;
    }

    /** First of all: a program's thread may wait for it. */
    private static void setUpStacks() {
        try {
            if (stackEvent == null) stackEvent = new JfrStackEvent();
            else stackEvent.register();
            StackWalks.setUp(stackEvent);
        } catch (Throwable e) {
            // As in run.
            StackWalks.setUp(null);
        }
    }

    /** Writes an event at this moment, if JFR is set up. Waits for one that is being written. */
    static void write() {
        JfrClockEvent made = event;
        if (made != null) made.run();
    }

    /** Has no more events written. May wait until JFR is set up. */
    static void close() {
        synchronized (JfrClock.class) {
            isWanted = false;
            if (!isCalled) return;
            isCalled = false;
            if (SessionData.current.stacks) closeStacks();
            try {
                event.run();
                event.end();
                ofChunks.end();
            } catch (Throwable e) {
                // JFR goes on to call it: it writes nothing where no recording asks for it.
            }
        }
    }

    private static void closeStacks() {
        StackWalks.close();
        try {
            if (stackEvent != null) stackEvent.end();
        } catch (Throwable e) {
            // As in close.
        }
    }
}
