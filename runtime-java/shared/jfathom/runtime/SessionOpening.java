package jfathom.runtime;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A session on its way: what {@link Session} then holds as constants. */
final class SessionOpening {
    private static final long NANOS = 1_000_000_000L;

    SessionFile file;
    Memory memory;
    Region head;
    int ids;
    /** How many of them may be methods. */
    int known;
    /** Offsets in the head. */
    long info;

    long modes;
    /** Whether the roots alone are timed: the collector has switched methods off. */
    boolean rootsOnly;
    long virtual;
    long directory;
    int ringSlots;
    int ringBytes;
    boolean tsc;
    /** When the probes are to be measured. */
    boolean calibrateStart;
    boolean calibrateEnd;
    /** Whether ids are left at the end of the span that no method has. */
    boolean idsToSpare;
    long base;
    /** Ticks per second, as far as it is known. */
    long hz;
    int clockReason;

    /** Writes the areas; false if there is no space. */
    boolean layOut(int ids, int known, boolean idsToSpare, boolean roots) {
        this.ids = ids;
        this.known = known;
        this.idsToSpare = idsToSpare;
        ringSlots = Layout.RING_SLOTS_DEFAULT;
        info = Layout.HEADER_BYTES;
        modes = info + Layout.INFO_DEFAULT_BYTES;
        virtual = modes + aligned(ids);
        directory = virtual + aligned(8L * ids);
        head = file.grow(directory + aligned((long) ringSlots * Layout.DESCRIPTOR_BYTES), memory);
        if (head == null) return false;
        memory.putLong(head, Layout.HEADER_MAGIC, Layout.MAGIC);
        memory.putInt(head, Layout.HEADER_VERSION, Layout.VERSION);
        memory.putLong(head, Layout.HEADER_LAYOUT_HASH, Layout.LAYOUT_HASH);
        memory.putInt(head, Layout.HEADER_STATE, Layout.STATE_STARTING);
        memory.putLong(head, Layout.HEADER_RING_BYTES, ringBytes);
        int recording = roots ? Layout.RECORDING_ROOTS : Layout.RECORDING_EVERYTHING;
        memory.putInt(head, Layout.HEADER_RECORDING, recording);
        memory.putInt(head, Layout.HEADER_ID_FIRST, 0);
        memory.putInt(head, Layout.HEADER_ID_COUNT, ids);
        memory.putInt(head, Layout.HEADER_RING_SLOTS, ringSlots);
        memory.putLong(head, Layout.HEADER_INFO_OFFSET, info);
        memory.putLong(head, Layout.HEADER_INFO_BYTES, Layout.INFO_DEFAULT_BYTES);
        memory.putLong(head, Layout.HEADER_MODES_OFFSET, modes);
        memory.putLong(head, Layout.HEADER_VIRTUAL_OFFSET, virtual);
        memory.putLong(head, Layout.HEADER_DIRECTORY_OFFSET, directory);
        return true;
    }

    /** Takes over the modes that the collector has given before; the file may be missing, or cover fewer ids or more. */
    void modes(Path file) {
        try (InputStream in = new FileInputStream(file.toFile())) {
            byte[] given = in.readNBytes(ids);
            for (int id = 0; id < given.length; id++) {
                if (given[id] != Layout.MODE_TIME) memory.putByte(head, modes + id, given[id]);
                rootsOnly |= given[id] == Layout.MODE_OFF;
            }
        } catch (IOException e) {
            // Then every method is timed.
        }
    }

    static long aligned(long bytes) {
        return (bytes + Layout.AREA_ALIGN - 1) / Layout.AREA_ALIGN * Layout.AREA_ALIGN;
    }

    /** The asked size of rings if it can be, else the usual one. */
    static int ringBytes(int asked) {
        boolean usable =
                Integer.bitCount(asked) == 1 && asked >= Layout.RING_BYTES_MIN && asked <= Layout.RING_BYTES_MAX;
        return usable ? asked : Layout.RING_BYTES_DEFAULT;
    }

    /** When the probes are to be measured; no other word has a meaning. */
    void calibrate(String asked) {
        if (asked == null) return;
        for (String phase : asked.split(",")) {
            if (phase.equals("start")) calibrateStart = true;
            if (phase.equals("end")) calibrateEnd = true;
        }
    }

    /** Chooses the clock and reads its base; {@code noTsc} says why the TSC must not be taken, or is null. */
    void clock(String asked, long compareNanos, String noTsc) {
        int reason = Layout.CLOCK_REASON_ASKED;
        String failure = null;
        if (!"nano".equals(asked)) {
            try {
                reason = TscChoice.usable();
                if (reason == Layout.CLOCK_REASON_TSC_USABLE && noTsc != null) {
                    reason = Layout.CLOCK_REASON_FAILED;
                    failure = noTsc;
                }
                if (reason == Layout.CLOCK_REASON_TSC_USABLE) reason = TscPage.make();
            } catch (Throwable e) {
                reason = Layout.CLOCK_REASON_FAILED;
                failure = String.valueOf(e);
            }
        }
        tsc = reason == Layout.CLOCK_REASON_TSC_USABLE;
        if (tsc && "tsc".equals(asked)) reason = Layout.CLOCK_REASON_ASKED;
        if (!tsc && "tsc".equals(asked)) inform(Layout.INFO_NOTICE, "the clock tsc was asked for and cannot be had");
        if (failure != null) inform(Layout.INFO_NOTICE, "the TSC could not be set up: " + failure);
        hz = NANOS;
        base = System.nanoTime();
        if (tsc) {
            ClockPair from = ClockPair.now();
            ClockPair to = from;
            while (to.nanos - from.nanos < compareNanos) to = ClockPair.now();
            hz = from.hz(to);
            base = from.ticks;
            SessionEnd.from = from;
        }
        clockReason = reason;
        tellClock(0);
    }

    /** Takes over the clock of an earlier session of this JVM. */
    void clock(SessionOpening before) {
        tsc = before.tsc;
        base = before.base;
        clockReason = before.clockReason;
        hz = tsc ? SessionEnd.from.hz(ClockPair.now()) : NANOS;
        tellClock(Session.now());
    }

    private void tellClock(long sinceBase) {
        memory.putInt(head, Layout.HEADER_CLOCK_KIND, tsc ? Layout.CLOCK_TSC : Layout.CLOCK_NANO_TIME);
        memory.putInt(head, Layout.HEADER_CLOCK_REASON, clockReason);
        memory.putLong(head, Layout.HEADER_CLOCK_HZ, hz);
        memory.putLong(head, Layout.HEADER_CLOCK_BASE_TICKS, base);
        long epochNanos = System.currentTimeMillis() * 1_000_000L - (long) ((double) sinceBase / hz * NANOS);
        memory.putLong(head, Layout.HEADER_CLOCK_BASE_EPOCH_NANOS, epochNanos);
    }

    /** Says who records. */
    void describe(long pid, long startMillis) {
        memory.putLong(head, Layout.HEADER_PID, pid);
        memory.putLong(head, Layout.HEADER_JVM_START_MILLIS, startMillis);
        property(Layout.INFO_JAVA_VERSION, "java.version");
        property(Layout.INFO_VM_NAME, "java.vm.name");
        property(Layout.INFO_VM_VERSION, "java.vm.version");
        property(Layout.INFO_VENDOR, "java.vendor");
        inform(Layout.INFO_OS_NAME, System.getProperty("os.name") + " " + System.getProperty("os.version"));
        property(Layout.INFO_OS_ARCH, "os.arch");
        inform(Layout.INFO_CPUS, Integer.toString(Runtime.getRuntime().availableProcessors()));
        property(Layout.INFO_COMMAND, "sun.java.command");
        flags();
    }

    /** JVM flags on the command line; system properties are left out, as they may be secrets. */
    private void flags() {
        try (FileInputStream in = new FileInputStream("/proc/self/cmdline")) {
            String[] words = new String(in.readNBytes(Layout.INFO_DEFAULT_BYTES / 4), StandardCharsets.UTF_8).split("\0");
            for (int i = 1; i < words.length && words[i].startsWith("-"); i++) {
                if (words[i].startsWith("-X") || words[i].startsWith("--")) inform(Layout.INFO_FLAGS, words[i]);
                if (takesWord(words[i])) i++;
            }
        } catch (IOException e) {
            // No such file system.
        }
    }

    private static boolean takesWord(String flag) {
        return flag.equals("-cp") || flag.equals("-p") || flag.equals("-classpath")
                || flag.startsWith("--") && flag.indexOf('=') < 0;
    }

    private void property(int kind, String name) {
        String value = System.getProperty(name);
        if (value != null) inform(kind, value);
    }

    /** Appends to the info area; counted where it does not fit. */
    void inform(int kind, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long committed = memory.getLong(head, info + Layout.INFO_COMMITTED);
        int align = Layout.INFO_ENTRY_ALIGN;
        long size = (Layout.INFO_ENTRY_TEXT + bytes.length + align - 1) / align * align;
        if (Layout.INFO_ENTRIES + committed + size > Layout.INFO_DEFAULT_BYTES) {
            memory.add(head, Layout.HEADER_INFO_DROPPED, 1);
            return;
        }
        long entry = info + Layout.INFO_ENTRIES + committed;
        memory.putInt(head, entry + Layout.INFO_ENTRY_KIND, kind);
        memory.putInt(head, entry + Layout.INFO_ENTRY_LENGTH, bytes.length);
        for (int i = 0; i < bytes.length; i++) memory.putByte(head, entry + Layout.INFO_ENTRY_TEXT + i, bytes[i]);
        memory.putLong(head, info + Layout.INFO_COMMITTED, committed + size);
    }
}
