package jfathom.runtime;

import java.util.Arrays;

/**
 * The open session as constants, so that compiled probes hold addresses and not loads. Initialised by {@link Start} when
 * the session file is ready; probes come here only afterwards.
 */
final class Session {
    static final Memory MEMORY = Start.opening.memory;
    /** Header, info, modes, virtual-thread counts and directory. */
    static final Region HEAD = Start.opening.head;
    /** Ids 0 to IDS − 1 have a mode and a count. */
    static final int IDS = Start.opening.ids;
    /** The counters of ids below follow each other, see {@link ThreadRecorder#direct}. */
    static final int DIRECT_IDS = Math.min(Start.opening.known, Counters.DIRECT_IDS);
    /** So do those of the ids that {@link CalibrationLoops} has: from here on. */
    static final int SPARE_IDS = Start.opening.idsToSpare ? IDS - Layout.LIVE_IDS_SPARE : IDS;
    /** Place of the mode table. */
    static final long MODES = HEAD.origin + Start.opening.modes;
    /** Place of the number of the last change of modes. */
    static final long EPOCH = HEAD.origin + Layout.HEADER_MODE_EPOCH;
    /** Offset in the head of the virtual-thread counts. */
    static final long VIRTUAL = Start.opening.virtual;
    /** Offset in the head of the ring directory. */
    static final long DIRECTORY = Start.opening.directory;
    /** Number of descriptors. */
    static final int RING_SLOTS = Start.opening.ringSlots;
    /** Whether the clock is the TSC. */
    static final boolean TSC = Start.opening.tsc;
    /** Clock value from which times count. */
    static final long BASE = Start.opening.base;

    /** Whether a thread is known by its number alone. */
    static final boolean UNIQUE = MEMORY.unique();
    /** Mask of a slot in {@link #TABLE}. */
    static final int TABLE_MASK = (1 << 16) - 1;
    /**
     * The threads that are inside, by the low bits of their number. A thread whose slot holds {@link ThreadRecorder#NO_RECORDER} is outside;
     * one whose slot holds another's recorder asks {@link Threads#find}. A slot is written by the thread at home there, and under
     * {@link Threads#LOCK}; read without.
     */
    static final ThreadRecorder[] TABLE = new ThreadRecorder[TABLE_MASK + 1];

    static {
        Arrays.fill(TABLE, ThreadRecorder.NO_RECORDER);
    }

    private Session() {}

    /** The thread's place in {@link #TABLE}. */
    static int slot(Thread thread) {
        return (int) MEMORY.tid(thread) & TABLE_MASK;
    }

    /** Ticks since {@link #BASE}. */
    static long now() {
        return (TSC ? Tsc.read() : System.nanoTime()) - BASE;
    }

    /** Ticks that all threads were held up by the agent so far. */
    static long paused() {
        return MEMORY.getLong(HEAD, Layout.HEADER_PAUSED);
    }

    /** Adds to a counter of the header. */
    static void count(int counter, long delta) {
        MEMORY.add(HEAD, counter, delta);
    }
}
