package jfathom.runtime;

/**
 * How the bytes that a thread has allocated are read: from fields of the JVM's own structures, if
 * these agree with the JVM's management bean, else from the bean. Chosen once in a JVM, by the
 * first session that asks.
 */
final class AllocatedChoice {
    /** Attempts to find both in agreement: the JVM may link something in between. */
    private static final int ATTEMPTS = 4;
    /** Bytes of the array that is allocated between two comparisons. */
    private static final int KNOWN_BYTES = 4096;
    /** The largest header of an array, and what is added to reach a multiple of 8, or more. */
    private static final int MOST_BESIDE = 64;

    /**
     * An ALLOCATED_*; NONE before it is chosen, or if there is no way. Written by the thread that
     * opens the session, before {@link AllocatedBytes} is initialised.
     */
    static int way = Layout.ALLOCATED_NONE;
    /** The fields, if they are the way. */
    static VmFields fields;
    /** Why the bean is the way, or why there is none; for the user. */
    static String reason;

    /** Keeps the array of a comparison from being compiled away. */
    private static volatile byte[] sink;

    private AllocatedChoice() {}

    /**
     * Chooses. {@code jdkProbes}: whether methods of the JDK have probes: those that the bean runs
     * through must not be met by one.
     */
    static int choose(Memory memory, boolean jdkProbes) {
        if (way != Layout.ALLOCATED_NONE) return way;
        if (!ThreadApi.isVirtual(Thread.currentThread())) return chooseHere(memory, jdkProbes);
        // The JVM counts by platform thread.
        PlatformThread.run(new Choice(memory, jdkProbes), "jfathom");
        return way;
    }

    /** Not a lambda: the JVM would link it within a program's call. */
    private static final class Choice implements Runnable {
        private final Memory memory;
        private final boolean jdkProbes;

        Choice(Memory memory, boolean jdkProbes) {
            this.memory = memory;
            this.jdkProbes = jdkProbes;
        }

        @Override
        public void run() {
            chooseHere(memory, jdkProbes);
        }
    }

    private static int chooseHere(Memory memory, boolean jdkProbes) {
        long tid = memory.tid(Thread.currentThread());
        if (!memory.hasUniqueTids()) {
            reason = "the JVM gives the runtime no number of a thread (module jdk.unsupported)";
            return way;
        }
        if (!ThreadBean.isThere(tid)) {
            reason = "the JVM has no bean that tells them (module jdk.management)";
            return way;
        }
        VmFields found = findFields(memory, tid);
        if (found != null) {
            fields = found;
            way = Layout.ALLOCATED_FIELDS;
        } else if (jdkProbes) {
            reason = reason + ", and methods of the JDK that its bean runs through have probes";
        } else if (ThreadBean.read(tid) != ThreadBean.read(tid)) {
            reason = reason + ", and asking its bean allocates by itself";
        } else {
            way = Layout.ALLOCATED_BEAN;
        }
        return way;
    }

    /** The fields, if they agree with the bean; else null, with the reason. */
    private static VmFields findFields(Memory memory, long tid) {
        long thread = memory.javaThread(Thread.currentThread());
        if (thread == 0) {
            reason = "the JVM gives the runtime no access to its memory";
            return null;
        }
        VmFields found = null;
        try {
            found = TscChoice.canUseLibrary() ? VmFields.find(memory) : null;
        } catch (UnsatisfiedLinkError e) {
            // As without a library.
        }
        if (found == null) {
            reason = "the fields of this JVM cannot be looked up";
            return null;
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            if (agrees(memory, found, thread, tid)) return found;
        }
        reason = "the fields of this JVM do not agree with its bean";
        return null;
    }

    /** Whether fields and bean agree, before and after an allocation of a known size. */
    private static boolean agrees(Memory memory, VmFields fields, long thread, long tid) {
        long before = ThreadBean.read(tid);
        // What the bean itself allocates, it allocates before it looks.
        if (fields.read(memory, thread) != before) return false;
        sink = new byte[KNOWN_BYTES];
        sink = null;
        long allocated = fields.read(memory, thread) - before;
        if (allocated < KNOWN_BYTES || allocated > KNOWN_BYTES + MOST_BESIDE) return false;
        long after = ThreadBean.read(tid);
        return fields.read(memory, thread) == after;
    }
}
