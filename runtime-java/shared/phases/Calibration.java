package jfathom.runtime;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/**
 * Measures the probes with {@link CalibrationLoops}, on a thread recorder whose ring is no part of
 * the session file. The probes, the look-ups and the writer are those of the program; only nobody
 * consumes the records.
 *
 * <p>The compilers need some time for the loops. So these run for a while before anything is
 * measured. Other programs delay that, and disturb what is measured then: {@link CalibrationTime}
 * and {@link CalibrationBatches} see to it. A quiet machine waits for neither.
 */
final class Calibration {
    /** Calls of a measured batch, and of one that warms up. */
    private static final int CALLS = 512;
    private static final int WARM_UP_CALLS = 48;
    private static final int BATCHES = 40;
    private static final long WARM_UP_NANOS = 90_000_000;
    private static final long WARM_UP_AGAIN_NANOS = 15_000_000;
    /**
     * One round of warming up in so many takes the rare branches: often enough that compilers have
     * seen them, too rarely to be inlined.
     */
    private static final int RARE_ROUNDS = 16;
    /** Measuring ends after this time, even with fewer batches. */
    private static final long LIMIT_NANOS = 45_000_000;
    /** Beside other programs it is repeated so often until it agrees with itself. */
    private static final int ROUNDS = 3;
    /** A call without probes takes longer until it is compiled, also on slow processors. */
    private static final double COMPILED_NANOS = 6;
    /** Records are spread over so much memory, as in a ring. */
    private static final int RING_BYTES = 1 << 19;
    /** Offset in the memory of the records, behind a block of counters. */
    private static final int RING_OFFSET =
            Layout.COUNTERS_HEADER_BYTES + CounterTable.BLOCK_IDS * 8;

    private static final int BATCH_BYTES = CALLS * 4 * Layout.RECORD_BYTES;

    /**
     * Whether the first calibration of this session is due; guarded by {@link ThreadTable#LOCK}.
     */
    private static boolean startDue = true;

    private final String phase;
    private final ThreadRecorder recorder;
    private final Region region;
    /** Place of the ring's first record, and of the one after its last. */
    private final long origin;

    private final long end;
    private final double nanosPerTick;
    /** Argument and result of the loops. */
    private int x = 1;
    /** Place of the batch's first record. */
    private long start;

    private Calibration(String phase, ThreadRecorder recorder, Region region) {
        this.phase = phase;
        this.recorder = recorder;
        this.region = region;
        origin = region.origin + RING_OFFSET;
        end = origin + RING_BYTES;
        long hz = Session.MEMORY.getLong(Session.HEAD, Layout.HEADER_CLOCK_HZ);
        nanosPerTick = 1e9 / hz;
    }

    /** Calibrates before the first thread records, once in a session. */
    static void atStart() {
        synchronized (ThreadTable.LOCK) {
            if (!startDue) return;
            startDue = false;
        }
        run("start", WARM_UP_NANOS);
    }

    /** Another session begins. */
    static void reset() {
        synchronized (ThreadTable.LOCK) {
            startDue = true;
        }
    }

    /** Calibrates at the JVM's end, if that was asked for. */
    static void atEnd() {
        if (SessionData.current.calibrateEnd) run("end", WARM_UP_AGAIN_NANOS);
    }

    private static void run(String phase, long warmUp) {
        // A plan whose ids go up to the last one leaves none for the loops.
        if (!SessionData.current.hasCalibrationIds) return;
        if (Carriers.isVirtual()) {
            // Probes of a virtual thread find no recorder of its own.
            PlatformThread.run(new Run(phase, warmUp), "jfathom calibration");
            return;
        }
        ThreadRecorder recorder = new ThreadRecorder(Thread.currentThread(), false);
        // For ever: what the fast path cannot record is not recorded.
        recorder.busy = true;
        // The probes ask for it, and never read it.
        if (SessionData.current.threadClock) recorder.clockGap = Long.MAX_VALUE;
        if (!Threads.insertInside(recorder)) return;
        if (SessionData.current.allocated != Layout.ALLOCATED_NONE) Allocated.watch(recorder);
        try {
            ByteBuffer buffer = ByteBuffer.allocateDirect(RING_OFFSET + RING_BYTES);
            Region region = Session.MEMORY.region((MappedByteBuffer) buffer);
            new Calibration(phase, recorder, region).measure(warmUp);
        } catch (Throwable e) {
            Errors.passOn(e);
        } finally {
            setMode(CalibrationLoops.COUNTED, Layout.MODE_TIME);
            setMode(CalibrationLoops.OFF, Layout.MODE_TIME);
            recorder.limit = ThreadRecorder.CLOSED;
            Threads.forget(recorder);
        }
    }

    /** Not a lambda: the JVM would link it within a program's call. */
    static final class Run implements Runnable {
        private final String phase;
        private final long warmUp;

        Run(String phase, long warmUp) {
            this.phase = phase;
            this.warmUp = warmUp;
        }

        @Override
        public void run() {
            Calibration.run(phase, warmUp);
        }
    }

    private static void setMode(int id, int mode) {
        Session.MEMORY.putByte(Session.HEAD, SessionData.current.modes + id, (byte) mode);
    }

    private void measure(long warmUp) {
        setMode(CalibrationLoops.COUNTED, Layout.MODE_COUNT);
        setMode(CalibrationLoops.OFF, Layout.MODE_OFF);
        recorder.store = region.store;
        startCounting();
        warmUp(warmUp);
        int kinds = CalibrationLoops.kinds();
        // The last one is the loop that shows the state of the machine.
        CalibrationBatches[] batches = new CalibrationBatches[kinds + 1];
        for (int kind = 0; kind < batches.length; kind++) {
            batches[kind] = new CalibrationBatches(BATCHES);
        }
        for (int round = 0; round < ROUNDS; round++) {
            CalibrationTime time = takeBatches(batches);
            if (!time.isDisturbed() || batches[CalibrationLoops.RETURN].agree()) break;
        }
        String clock = Session.TSC ? Layout.CLOCK_NAME_TSC : Layout.CLOCK_NAME_NANO;
        for (int kind = 0; kind < batches.length; kind++) {
            String text =
                    "phase=" + phase
                            + " clock=" + clock
                            + " kind=" + (kind < kinds ? CalibrationLoops.NAMES[kind] : "pace")
                            + " calls=" + CALLS
                            + batches[kind].fields();
            synchronized (ThreadTable.LOCK) {
                SessionData.current.addInfo(Layout.INFO_CALIBRATION, text);
            }
        }
    }

    /**
     * Runs the loops until the compilers are done with them. Beside other programs that shows only
     * in the loop without probes, which takes many times as long before.
     */
    private void warmUp(long nanos) {
        CalibrationTime time = new CalibrationTime(nanos);
        boolean isCompiled = false;
        boolean goesOn = true;
        for (int round = 0; goesOn; round++) {
            for (int kind = 0; kind < CalibrationLoops.kinds(); kind++) {
                double reference = batch(kind, false, WARM_UP_CALLS);
                batch(kind, true, WARM_UP_CALLS);
                if (kind == CalibrationLoops.RETURN) isCompiled = reference < COMPILED_NANOS;
            }
            pace(WARM_UP_CALLS);
            if (round % RARE_ROUNDS == 0) takeRareBranches();
            goesOn = time.step() || !isCompiled && time.isDisturbed() && time.isPatient();
        }
    }

    /** Measures batches of every kind, in place of those that are there. */
    private CalibrationTime takeBatches(CalibrationBatches[] batches) {
        for (CalibrationBatches kind : batches) kind.clear();
        CalibrationTime time = new CalibrationTime(LIMIT_NANOS);
        boolean goesOn = true;
        for (int i = 0; i < BATCHES && goesOn; i++) {
            for (int kind = 0; kind < batches.length - 1; kind++) {
                double reference = batch(kind, false, CALLS);
                double all = batch(kind, true, CALLS);
                batches[kind].add(reference, all, inner(kind, CALLS));
                goesOn = time.step();
            }
            double pace = pace(CALLS);
            batches[batches.length - 1].add(pace, pace, 0);
        }
        return time;
    }

    /**
     * Takes every branch of the probes. A compiler leaves out of the program's methods what it has
     * never seen taken. The first time then costs these methods, or the runtime's, their compiled
     * code.
     */
    private void takeRareBranches() {
        Thread thread = recorder.inside;
        runAllProbes();
        CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
        runAllProbes();
        recorder.inside = null;
        runAllProbes();
        recorder.inside = thread;
        startCounting();
        int slot = (int) recorder.tid & Session.TABLE_MASK;
        synchronized (ThreadTable.LOCK) {
            if (ThreadTable.SLOTS[slot] != recorder) return;
            ThreadTable.SLOTS[slot] = ThreadRecorder.NO_RECORDER;
            CalibrationLoops.probesInside(CalibrationLoops.TIMED);
            CalibrationLoops.probesInside(CalibrationLoops.COUNTED);
            ThreadTable.SLOTS[slot] = recorder;
        }
        // No other thread can come inside meanwhile.
        synchronized (Inside.class) {
            if (!Inside.isOne()) return;
            Gate.inside = Gate.NOBODY;
            CalibrationLoops.probesInside(CalibrationLoops.TIMED);
            CalibrationLoops.probesInside(CalibrationLoops.COUNTED);
            Gate.inside = Gate.FEW;
        }
    }

    /** Gives the thread recorder a block for the one counter that the loops use. */
    private void startCounting() {
        int id = CalibrationLoops.COUNTED;
        int block = id >> CounterTable.BLOCK_SHIFT;
        int chunk = id >> Layout.CHUNK_SHIFT;
        ThreadCounters counters = new ThreadCounters();
        counters.addAlone(block, region);
        int within = (1 << CounterTable.BLOCK_SHIFT - Layout.CHUNK_SHIFT) - 1;
        counters.add(chunk, region, chunk & within);
        recorder.counters = counters;
        recorder.counting = recorder.tid;
        recorder.takeRow();
        CounterTable.ROWS[recorder.row] = recorder.tid;
    }

    private void runAllProbes() {
        recorder.limit = ThreadRecorder.CLOSED;
        CalibrationLoops.probes(CalibrationLoops.TIMED);
        CalibrationLoops.probes(CalibrationLoops.COUNTED);
        CalibrationLoops.probes(CalibrationLoops.OFF);
    }

    /** Runs so many steps without calls. Returns nanoseconds per step. */
    private double pace(int steps) {
        long begun = Session.now();
        x = CalibrationLoops.pace(steps, x);
        return (Session.now() - begun) * nanosPerTick / steps;
    }

    /** Runs so many calls. Returns nanoseconds per call. */
    private double batch(int kind, boolean probes, int calls) {
        recorder.limit = ThreadRecorder.CLOSED;
        if (recorder.next < origin || recorder.next + BATCH_BYTES > end) recorder.next = origin;
        start = recorder.next;
        recorder.counters.clear();
        recorder.pauses = Session.MEMORY.pauses();
        if (recorder.heapPlace != 0) recorder.heap.settle(recorder.heapPlace);
        long begun = Session.now();
        recorder.high = begun >>> Layout.TIME_BITS;
        recorder.limit = recorder.next + BATCH_BYTES;
        x = CalibrationLoops.run(kind, probes, calls, x);
        long ended = Session.now();
        recorder.limit = ThreadRecorder.CLOSED;
        return (ended - begun) * nanosPerTick / calls;
    }

    /**
     * Nanoseconds per call between its clock reads, in the last batch. NaN if records are missing.
     */
    private double inner(int kind, int calls) {
        int records = CalibrationLoops.RECORDS[kind];
        long step = (long) records * Layout.RECORD_BYTES;
        if (recorder.next != start + calls * step) return Double.NaN;
        if (records == 0) return 0;
        long sum = 0;
        for (long place = start; place < recorder.next; place += step) {
            // The last record is the exit. In a mixed call the first one is that of counted calls.
            int entry = kind == CalibrationLoops.MIXED ? 1 : 0;
            long time = time(place, records - 1) - time(place, entry);
            if (kind == CalibrationLoops.NESTED) time -= time(place, 2) - time(place, 1);
            sum += time;
        }
        return sum * nanosPerTick / calls;
    }

    private long time(long place, int record) {
        long at = place + (long) record * Layout.RECORD_BYTES;
        long word = Session.MEMORY.peek(recorder.store, at);
        return word & (1L << Layout.TIME_BITS) - 1;
    }
}
