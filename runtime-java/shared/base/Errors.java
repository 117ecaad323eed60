package jfathom.runtime;

/**
 * What is thrown within the runtime. Nothing of it reaches the program but what the VM itself
 * throws into the thread (Thread.stop).
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class Errors extends Throwable {
    private static final Class<?> THREAD_DEATH = threadDeath();

    private Errors() {}

    /** Throws anything as if it were unchecked. */
    @SuppressWarnings("unchecked")
    static <T extends Throwable> T unchecked(Throwable e) throws T {
        throw (T) e;
    }

    /**
     * Ends an error of the runtime's own, such as a full heap. What Thread.stop has thrown is the
     * program's, and goes on. Must not allocate.
     */
    static void passOn(Throwable e) {
        if (e.getClass() == THREAD_DEATH) throw Errors.<RuntimeException>unchecked(e);
    }

    /** ThreadDeath by its name: the class is to vanish from Java. */
    private static Class<?> threadDeath() {
        try {
            return Class.forName("java.lang.ThreadDeath");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
