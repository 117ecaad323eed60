package jfathom.runtime;

/**
 * The open session as constants, so that compiled probes hold addresses and not loads. The {@link
 * Host} initialises this class when the session file is laid out; probes get here only afterwards.
 * Live, the constants hold for all sessions of the JVM.
 */
final class Session {
    static final Memory MEMORY = SessionData.current.memory;
    /** Header, info area, mode table, virtual-thread counts and ring directory. */
    static final Region HEAD = SessionData.current.head;
    /** Length of the id span: ids 0 to IDS − 1 have a mode and a count. */
    static final int IDS = SessionData.current.ids;
    /** The id after the last method's, as far as it is known. */
    static final int KNOWN = SessionData.current.known;
    /** First id of {@link CalibrationLoops}. */
    static final int CALIBRATION_IDS =
            SessionData.current.hasCalibrationIds ? IDS - Layout.LIVE_CALIBRATION_IDS : IDS;
    /** Place of the mode table. */
    static final long MODES = HEAD.origin + SessionData.current.modes;
    /** Place of the number of the agent's last pause. */
    static final long PAUSES = HEAD.origin + Layout.HEADER_PAUSES;
    /** Offset in the head of the virtual-thread counts. */
    static final long VIRTUAL = SessionData.current.virtual;
    /** Offset in the head of the allowances. */
    static final long ALLOWANCES = SessionData.current.allowances;
    /** Offset in the head of the ring directory. */
    static final long DIRECTORY = SessionData.current.directory;
    /** Number of ring descriptors. */
    static final int RING_SLOTS = SessionData.current.ringSlots;
    /** Whether the clock is the TSC. */
    static final boolean TSC = SessionData.current.tsc;
    /**
     * Whether threads may record what they allocate. Live, an earlier session says nothing of a
     * later one: then each recorder is asked.
     */
    static final boolean ALLOCATED =
            Variant.LIVE || SessionData.current.allocated != Layout.ALLOCATED_NONE;
    /** Whether only some methods may read what they allocate; live as for {@link #ALLOCATED}. */
    static final boolean SELECTED = Variant.LIVE || SessionData.current.reading != 0;
    /** Whether threads may have their CPU clocks read; live as for {@link #ALLOCATED}. */
    static final boolean THREAD_CLOCK = Variant.LIVE || SessionData.current.threadClock;
    /** Whether the classes of caught exceptions may be recorded; live as for {@link #ALLOCATED}. */
    static final boolean CAUGHT = Variant.LIVE || SessionData.current.caught;
    /** Clock value from which times count. */
    static final long BASE = SessionData.current.base;

    /** Whether a thread's number identifies the thread. */
    static final boolean UNIQUE = MEMORY.hasUniqueTids();
    /** Mask of a slot in {@link ThreadTable} and {@link CounterTable}. */
    static final int TABLE_MASK = (1 << 14) - 1;

    private Session() {}

    /** The thread's slot in {@link ThreadTable} and {@link CounterTable}. */
    static int slot(Thread thread) {
        return (int) MEMORY.tid(thread) & TABLE_MASK;
    }

    /** Ticks since {@link #BASE}. */
    static long now() {
        return (TSC ? Tsc.read() : System.nanoTime()) - BASE;
    }

    /** Ticks for which the agent has held up all threads so far. */
    static long paused() {
        return MEMORY.getLong(HEAD, Layout.HEADER_PAUSED);
    }

    /** Adds to a counter of the header. */
    static void count(int counter, long delta) {
        MEMORY.add(HEAD, counter, delta);
    }
}
