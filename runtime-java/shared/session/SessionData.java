package jfathom.runtime;

import java.nio.charset.StandardCharsets;

/**
 * What is known of a session: {@link Session} holds some of it as constants. Written by the thread
 * that opens the session, by {@link SessionOpening}; read by others afterwards.
 */
class SessionData {
    /**
     * The session that is open, or was last; null before the first. Written by the {@link Host},
     * when the session file is laid out and before any probe can find the session open. {@link
     * Session} reads the first one; slow paths read the present one.
     */
    static SessionData current;

    Memory memory;
    /** Header, info area, mode table, virtual-thread counts and ring directory. */
    Region head;
    /** Length of the id span. */
    int ids;
    /** The id after the last method's, as far as it is known. */
    int known;
    /** Offset in the head of the info area; of the other areas below. */
    long info;

    long modes;
    /** 0 if there is no reading table. */
    long reading;
    long virtual;

    long allowances;
    long directory;
    /** Whether only the roots are timed: the collector has set methods to MODE_OFF. */
    boolean rootsOnly;
    /** Number of ring descriptors. */
    int ringSlots;
    /** Size of a new ring. */
    int ringBytes;
    /** Whether the clock is the TSC. */
    boolean tsc;
    /** Whether the probes are calibrated before the first record, and at the JVM's end. */
    boolean calibrateStart;
    boolean calibrateEnd;
    /** Whether the last ids of the span belong to no method, but to {@link CalibrationLoops}. */
    boolean hasCalibrationIds;
    /** How allocated bytes are read: an ALLOCATED_*. */
    int allocated = Layout.ALLOCATED_NONE;
    /** Whether JFR is to write events with the session's clock. */
    boolean jfrClock;
    /** Whether JFR is to walk stacks, by {@link StackWalks}. */
    boolean stacks;
    /** Whether threads have their CPU clocks read. */
    boolean threadClock;
    /** Whether the classes of caught exceptions are recorded. */
    boolean caught;
    /** Size of the info area. */
    long infoBytes = Layout.INFO_DEFAULT_BYTES;
    /** Clock value from which times count. */
    long base;
    /** Ticks per second, as far as they are known. */
    long hz;
    /** A CLOCK_REASON_*. */
    int clockReason;

    static long aligned(long bytes) {
        return (bytes + Layout.AREA_ALIGN - 1) / Layout.AREA_ALIGN * Layout.AREA_ALIGN;
    }

    /** Bytes that a text takes in the info area. */
    static int infoSize(String text) {
        return infoSize(text.getBytes(StandardCharsets.UTF_8));
    }

    private static int infoSize(byte[] text) {
        int align = Layout.INFO_ENTRY_ALIGN;
        return (Layout.INFO_ENTRY_TEXT + text.length + align - 1) / align * align;
    }

    /**
     * Appends an entry to the info area, or counts it if it does not fit: then false. By any
     * thread, while the session is open.
     */
    synchronized boolean addInfo(int kind, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long committed = memory.getLong(head, info + Layout.INFO_COMMITTED);
        long size = infoSize(bytes);
        if (Layout.INFO_ENTRIES + committed + size > infoBytes) {
            memory.add(head, Layout.HEADER_INFO_DROPPED, 1);
            return false;
        }
        long entry = info + Layout.INFO_ENTRIES + committed;
        memory.putInt(head, entry + Layout.INFO_ENTRY_KIND, kind);
        memory.putInt(head, entry + Layout.INFO_ENTRY_LENGTH, bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            memory.putByte(head, entry + Layout.INFO_ENTRY_TEXT + i, bytes[i]);
        }
        memory.putLong(head, info + Layout.INFO_COMMITTED, committed + size);
        return true;
    }
}
