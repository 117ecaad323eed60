package jfathom.runtime;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A session while it is opened, by one thread. */
final class SessionOpening extends SessionData {
    private static final long NANOS = 1_000_000_000L;

    /** Writes the areas, for these metrics. False if there is no space. */
    boolean layOut(
            int ids, int known, boolean hasCalibrationIds, boolean roots, String metrics) {
        this.ids = ids;
        this.known = known;
        this.hasCalibrationIds = hasCalibrationIds;
        ringSlots = Layout.RING_SLOTS_DEFAULT;
        caught = isAsked(metrics, Layout.METRIC_CAUGHT);
        if (caught) infoBytes += Layout.CAUGHT_NAMES_BYTES;
        info = Layout.HEADER_BYTES;
        modes = info + infoBytes;
        virtual = modes + aligned(ids);
        allowances = virtual + aligned(8L * ids);
        directory = allowances + aligned(4L * ids);
        long end = directory + aligned((long) ringSlots * Layout.DESCRIPTOR_BYTES);
        if (isAsked(metrics, Layout.METRIC_ALLOC_SELECTED)) {
            reading = end;
            end += aligned(readingBytes());
        }
        head = Variant.HOST.grow(end, memory);
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
        memory.putLong(head, Layout.HEADER_INFO_BYTES, infoBytes);
        memory.putInt(head, Layout.HEADER_CAUGHT, caught ? 1 : 0);
        memory.putLong(head, Layout.HEADER_MODES_OFFSET, modes);
        memory.putLong(head, Layout.HEADER_VIRTUAL_OFFSET, virtual);
        memory.putLong(head, Layout.HEADER_ALLOWANCES_OFFSET, allowances);
        memory.putLong(head, Layout.HEADER_DIRECTORY_OFFSET, directory);
        memory.putLong(head, Layout.HEADER_READING_OFFSET, reading);
        return true;
    }

    private static boolean isAsked(String metrics, String metric) {
        if (metrics == null) return false;
        for (String asked : metrics.split(",")) {
            if (asked.equals(metric)) return true;
        }
        return false;
    }

    /** The size of the reading table. */
    private int readingBytes() {
        return (ids + (1 << Layout.READING_SHIFT) - 1 >>> Layout.READING_SHIFT) * 4;
    }

    /**
     * Copies the collector's modes into the mode table. The file may be missing, or have fewer ids
     * or more.
     */
    void readModes(Path file) {
        try (InputStream in = new FileInputStream(file.toFile())) {
            byte[] given = in.readNBytes(ids);
            for (int id = 0; id < given.length; id++) {
                if (given[id] != Layout.MODE_TIME) memory.putByte(head, modes + id, given[id]);
            }
        } catch (IOException e) {
            // Without the file every method is timed.
        }
    }

    /** Copies the collector's reading table, if there is one. The file may be missing. */
    void readReadingTable(Path file) {
        if (reading == 0) return;
        try (InputStream in = new FileInputStream(file.toFile())) {
            byte[] given = in.readNBytes(readingBytes());
            for (int at = 0; at < given.length; at++) {
                memory.putByte(head, reading + at, given[at]);
            }
        } catch (IOException e) {
            // Without the file only roots and tasks read.
        }
    }

    /** Copies the collector's table of intervals. The file may be missing, or damaged. */
    void readStackIntervals(Path file) {
        try (InputStream in = new FileInputStream(file.toFile())) {
            byte[] given = in.readNBytes(4 * Layout.STACK_INTERVALS);
            for (int at = 0; at < given.length; at++) {
                memory.putByte(head, Layout.HEADER_STACK_INTERVALS + at, given[at]);
            }
        } catch (IOException e) {
            // Without the file no stack is walked.
        }
    }

    /** The size of rings that was asked for if it is valid, else the usual one. */
    static int ringBytes(int asked) {
        boolean usable =
                Integer.bitCount(asked) == 1
                        && asked >= Layout.RING_BYTES_MIN
                        && asked <= Layout.RING_BYTES_MAX;
        return usable ? asked : Layout.RING_BYTES_DEFAULT;
    }

    /** Reads when the probes are calibrated: {@code start}, {@code end}, both, or null. */
    void setCalibration(String asked) {
        if (asked == null) return;
        for (String phase : asked.split(",")) {
            if (phase.equals("start")) calibrateStart = true;
            if (phase.equals("end")) calibrateEnd = true;
        }
    }

    /**
     * Chooses the clock and reads its base. {@code jdkProbes}: whether methods of the JDK have
     * probes, or will have.
     */
    void chooseClock(String asked, long compareNanos, boolean jdkProbes) {
        int reason = Layout.CLOCK_REASON_ASKED;
        if (!Layout.CLOCK_NAME_NANO.equals(asked)) {
            try {
                reason = TscChoice.choose(jdkProbes);
            } catch (Throwable e) {
                reason = Layout.CLOCK_REASON_FAILED;
                addInfo(Layout.INFO_NOTICE, "the TSC could not be set up: " + e);
            }
        }
        tsc =
                reason == Layout.CLOCK_REASON_TSC_LIBRARY
                        || reason == Layout.CLOCK_REASON_TSC_PAGE;
        if (!tsc && Layout.CLOCK_NAME_TSC.equals(asked)) {
            addInfo(Layout.INFO_NOTICE, "the clock tsc was asked for and cannot be had");
        }
        if (TscChoice.libraryFailure != null) {
            String failure = "the clock library cannot be used: " + TscChoice.libraryFailure;
            addInfo(Layout.INFO_NOTICE, failure);
        }
        hz = NANOS;
        base = System.nanoTime();
        if (tsc) {
            ClockPair from = ClockPair.now();
            ClockPair to = from;
            while (to.nanos - from.nanos < compareNanos) to = ClockPair.now();
            hz = from.hz(to);
            base = from.ticks;
            ClockPair.first = from;
        }
        clockReason = reason;
        writeClock(0);
    }

    /** Takes over the clock of an earlier session of this JVM. */
    void keepClock(SessionData before) {
        tsc = before.tsc;
        base = before.base;
        clockReason = before.clockReason;
        hz = tsc ? ClockPair.first.hz(ClockPair.now()) : NANOS;
        writeClock(Session.now());
    }

    private void writeClock(long sinceBase) {
        int kind = tsc ? Layout.CLOCK_TSC : Layout.CLOCK_NANO_TIME;
        memory.putInt(head, Layout.HEADER_CLOCK_KIND, kind);
        memory.putInt(head, Layout.HEADER_CLOCK_REASON, clockReason);
        memory.putLong(head, Layout.HEADER_CLOCK_HZ, hz);
        memory.putLong(head, Layout.HEADER_CLOCK_BASE_TICKS, base);
        long nanosSinceBase = (long) ((double) sinceBase / hz * NANOS);
        long epochNanos = System.currentTimeMillis() * 1_000_000L - nanosSinceBase;
        memory.putLong(head, Layout.HEADER_CLOCK_BASE_EPOCH_NANOS, epochNanos);
    }

    /**
     * Prepares what is recorded beside calls and times. Null, or why it cannot be. Asks the JVM by
     * its methods: {@code jdkProbes} as for {@link #chooseClock}.
     */
    String setMetrics(String asked, boolean jdkProbes) {
        if (asked == null) return null;
        for (String metric : asked.split(",")) {
            if (metric.equals(Layout.METRIC_JFR_CLOCK)) jfrClock = true;
            if (metric.equals(Layout.METRIC_STACKS)) stacks = true;
            boolean isSelected = metric.equals(Layout.METRIC_ALLOC_SELECTED);
            if (isSelected || metric.equals(Layout.METRIC_ALLOC)) {
                allocated = AllocatedChoice.choose(memory, jdkProbes);
                String reason = AllocatedChoice.reason;
                if (allocated == Layout.ALLOCATED_NONE) {
                    return "allocated bytes cannot be recorded: " + reason
                            + (isSelected
                                    ? "; leave out +alloc of --probe"
                                    : "; leave out --metrics alloc");
                }
                if (allocated == Layout.ALLOCATED_BEAN) {
                    String notice = "allocated bytes are read from the JVM's bean, 12 ns each time: ";
                    addInfo(Layout.INFO_NOTICE, notice + reason);
                }
            }
            if (metric.equals(Layout.METRIC_CPU)) threadClock = hasThreadClock();
        }
        memory.putInt(head, Layout.HEADER_ALLOCATED, allocated);
        return null;
    }

    /** Whether the threads' CPU clocks can be read; the user hears of it if not. */
    private boolean hasThreadClock() {
        boolean isThere = CpuClockChoice.isThere();
        if (isThere) memory.putInt(head, Layout.HEADER_THREAD_CLOCK, 1);
        else addInfo(Layout.INFO_NOTICE, "it is not known when threads run: the clock library cannot be used");
        return isThere;
    }

    /** Writes which JVM records. */
    void describeJvm(long pid, long startMillis) {
        memory.putLong(head, Layout.HEADER_PID, pid);
        memory.putLong(head, Layout.HEADER_JVM_START_MILLIS, startMillis);
        property(Layout.INFO_JAVA_VERSION, "java.version");
        property(Layout.INFO_VM_NAME, "java.vm.name");
        property(Layout.INFO_VM_VERSION, "java.vm.version");
        property(Layout.INFO_VENDOR, "java.vendor");
        String system = System.getProperty("os.name") + " " + System.getProperty("os.version");
        addInfo(Layout.INFO_OS_NAME, system);
        property(Layout.INFO_OS_ARCH, "os.arch");
        int processors = Runtime.getRuntime().availableProcessors();
        addInfo(Layout.INFO_CPUS, Integer.toString(processors));
        property(Layout.INFO_COMMAND, "sun.java.command");
        flags();
    }

    /** Writes the JVM flags of the command line. Without system properties: they may be secrets. */
    private void flags() {
        try (FileInputStream in = new FileInputStream("/proc/self/cmdline")) {
            byte[] line = in.readNBytes(Layout.INFO_DEFAULT_BYTES / 4);
            String[] words = new String(line, StandardCharsets.UTF_8).split("\0");
            for (int i = 1; i < words.length && words[i].startsWith("-"); i++) {
                if (words[i].startsWith("-X") || words[i].startsWith("--")) {
                    addInfo(Layout.INFO_FLAGS, words[i]);
                }
                if (hasSeparateValue(words[i])) i++;
            }
        } catch (IOException e) {
            // No such file system.
        }
    }

    private static boolean hasSeparateValue(String flag) {
        return flag.equals("-cp") || flag.equals("-p") || flag.equals("-classpath")
                || flag.startsWith("--") && flag.indexOf('=') < 0;
    }

    private void property(int kind, String name) {
        String value = System.getProperty(name);
        if (value != null) addInfo(kind, value);
    }
}
