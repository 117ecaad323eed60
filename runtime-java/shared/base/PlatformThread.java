package jfathom.runtime;

/** Work that a virtual thread cannot do itself. */
final class PlatformThread {
    private PlatformThread() {}

    /** Runs {@code work} on a platform thread of its own, and waits for its end. */
    static void run(Runnable work, String name) {
        // Nothing of the program's is inherited: that would run its code.
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }
}
