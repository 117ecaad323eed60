package jfathom.runtime;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/**
 * Measures the probes with {@link CalibrationLoops}, on a recorder whose ring is no part of the session file. The probes, the
 * look-ups and the writer are those of the program; only nobody takes the records.
 *
 * <p>The compilers need some time before the kernels are what they will be: so they run for a while before anything is
 * measured.
 */
final class Calibration {
    private static final int CALLS = 512;
    private static final int BATCHES = 40;
    private static final int WARM_UP_CALLS = 48;
    private static final long WARM_UP_NANOS = 90_000_000;
    private static final long WARM_UP_AGAIN_NANOS = 15_000_000;
    /** Rounds of warming up of which one meets the rare cases: often enough to be seen, too rarely to be inlined. */
    private static final int RARE = 16;
    /** Measuring ends early rather than late. */
    private static final long LIMIT_NANOS = 45_000_000;
    /** Records are spread over so much memory, as in a ring. */
    private static final int RING_BYTES = 1 << 19;
    private static final int BATCH_BYTES = CALLS * 4 * Layout.RECORD_BYTES;

    private static boolean startDue = true;

    private final String phase;
    private final ThreadRecorder recorder;
    private final Region region;
    /** Place of the ring's first record, and of the one after its last. */
    private final long origin;

    private final long end;
    private final double nanosPerTick;
    private int x = 1;

    private Calibration(String phase, ThreadRecorder recorder, Region region) {
        this.phase = phase;
        this.recorder = recorder;
        this.region = region;
        origin = region.origin + Layout.CHUNK_BYTES;
        end = origin + RING_BYTES;
        long hz = Session.MEMORY.getLong(Session.HEAD, Layout.HEADER_CLOCK_HZ);
        nanosPerTick = 1e9 / hz;
    }

    /** Before the first thread records: measures, if that was asked for and has not been done. */
    static void atStart() {
        synchronized (Threads.LOCK) {
            if (!startDue) return;
            startDue = false;
        }
        run("start", WARM_UP_NANOS);
    }

    /** Another session begins. */
    static void reset() {
        synchronized (Threads.LOCK) {
            startDue = true;
        }
    }

    /** At the JVM's end. */
    static void atEnd() {
        if (Start.opening.calibrateEnd) run("end", WARM_UP_AGAIN_NANOS);
    }

    private static void run(String phase, long warmUp) {
        // A plan whose ids go up to the last one leaves none for the kernels.
        if (!Start.opening.idsToSpare) return;
        ThreadRecorder recorder = new ThreadRecorder(Thread.currentThread(), false);
        // For ever: what the fast way does not take is not recorded.
        recorder.busy = true;
        if (!Threads.lend(recorder)) return;
        try {
            ByteBuffer buffer = ByteBuffer.allocateDirect(Layout.CHUNK_BYTES + RING_BYTES);
            Region region = Session.MEMORY.region((MappedByteBuffer) buffer);
            new Calibration(phase, recorder, region).measure(warmUp);
        } catch (Throwable e) {
            SlowPath.passOn(e);
        } finally {
            mode(CalibrationLoops.COUNTED, Layout.MODE_TIME);
            mode(CalibrationLoops.OFF, Layout.MODE_TIME);
            recorder.limit = ThreadRecorder.CLOSED;
            Threads.forget(recorder);
        }
    }

    private static void mode(int id, int mode) {
        Session.MEMORY.putByte(Session.HEAD, Start.opening.modes + id, (byte) mode);
    }

    private void measure(long warmUp) {
        mode(CalibrationLoops.COUNTED, Layout.MODE_COUNT);
        mode(CalibrationLoops.OFF, Layout.MODE_OFF);
        recorder.store = region.store;
        count();
        long begun = System.nanoTime();
        for (int round = 0; System.nanoTime() - begun < warmUp; round++) {
            for (int kind = 0; kind < CalibrationLoops.kinds(); kind++) {
                batch(kind, false, WARM_UP_CALLS);
                batch(kind, true, WARM_UP_CALLS);
            }
            if (round % RARE == 0) meetRareCases();
        }
        begun = System.nanoTime();
        StringBuilder[] texts = new StringBuilder[3 * CalibrationLoops.kinds()];
        for (int i = 0; i < texts.length; i++) texts[i] = new StringBuilder(BATCHES * 8);
        int sound = 0;
        for (int i = 0; i < BATCHES && System.nanoTime() - begun < LIMIT_NANOS; i++) {
            sound++;
            for (int kind = 0; kind < CalibrationLoops.kinds(); kind++) {
                double twin = batch(kind, false, CALLS);
                double all = batch(kind, true, CALLS);
                double inner = inner(kind, CALLS);
                append(texts[3 * kind], twin);
                append(texts[3 * kind + 1], inner);
                append(texts[3 * kind + 2], all - inner - twin);
            }
        }
        if (sound == 0) return;
        for (int kind = 0; kind < CalibrationLoops.kinds(); kind++) {
            String text = "phase=" + phase + " clock=" + (Session.TSC ? "tsc" : "nano") + " kind=" + CalibrationLoops.NAMES[kind]
                    + " calls=" + CALLS + " twin=" + texts[3 * kind] + " inner=" + texts[3 * kind + 1] + " outer="
                    + texts[3 * kind + 2];
            synchronized (Threads.LOCK) {
                Start.opening.inform(Layout.INFO_CALIBRATION, text);
            }
        }
    }

    /**
     * Takes every way through the probes. What a compiler has never seen taken it leaves out of the program's methods: the first
     * time costs them, or the recorder, their compiled code.
     */
    private void meetRareCases() {
        Thread thread = recorder.inside;
        allProbes();
        recorder.counting = ThreadRecorder.NONE;
        allProbes();
        recorder.inside = null;
        allProbes();
        recorder.inside = thread;
        count();
        int slot = (int) recorder.tid & Session.TABLE_MASK;
        synchronized (Threads.LOCK) {
            if (Session.TABLE[slot] != recorder) return;
            Session.TABLE[slot] = ThreadRecorder.NO_RECORDER;
            CalibrationLoops.probesInside(CalibrationLoops.TIMED);
            CalibrationLoops.probesInside(CalibrationLoops.COUNTED);
            Session.TABLE[slot] = recorder;
        }
    }

    /** Gives the recorder the one counter that is used: it lies before the ring. */
    private void count() {
        recorder.direct = region.origin + 8 - ((long) CalibrationLoops.COUNTED << 3);
        recorder.directStore = region.store;
        recorder.counting = recorder.tid;
    }

    private void allProbes() {
        recorder.limit = ThreadRecorder.CLOSED;
        CalibrationLoops.probes(CalibrationLoops.TIMED);
        CalibrationLoops.probes(CalibrationLoops.COUNTED);
        CalibrationLoops.probes(CalibrationLoops.OFF);
    }

    private static void append(StringBuilder text, double nanos) {
        if (text.length() > 0) text.append(',');
        text.append(Double.isNaN(nanos) ? nanos : Math.round(nanos * 100) / 100.0);
    }

    /** Runs so many calls; nanoseconds for each of them. */
    private double batch(int kind, boolean probes, int calls) {
        recorder.limit = ThreadRecorder.CLOSED;
        if (recorder.next < origin || recorder.next + BATCH_BYTES > end) recorder.next = origin;
        start = recorder.next;
        recorder.pending = 0;
        recorder.epoch = Session.MEMORY.epoch();
        long begun = Session.now();
        recorder.high = begun >>> Layout.TIME_BITS;
        recorder.limit = recorder.next + BATCH_BYTES;
        x = CalibrationLoops.run(kind, probes, calls, x);
        long ended = Session.now();
        recorder.limit = ThreadRecorder.CLOSED;
        return (ended - begun) * nanosPerTick / calls;
    }

    /** Place of the batch's first record. */
    private long start;

    /** Nanoseconds for each call between its clock readings, in the batch before; not a number if records are missing. */
    private double inner(int kind, int calls) {
        int records = CalibrationLoops.RECORDS[kind];
        if (recorder.next != start + (long) calls * records * Layout.RECORD_BYTES) return Double.NaN;
        if (records == 0) return 0;
        long sum = 0;
        for (long place = start; place < recorder.next; place += (long) records * Layout.RECORD_BYTES) {
            // The last record is the exit; before the entry there may be one of counted calls.
            long time = time(place, records - 1) - time(place, kind == CalibrationLoops.MIXED ? 1 : 0);
            if (kind == CalibrationLoops.NESTED) time -= time(place, 2) - time(place, 1);
            sum += time;
        }
        return sum * nanosPerTick / calls;
    }

    private long time(long place, int record) {
        long word = Session.MEMORY.peek(recorder, place + (long) record * Layout.RECORD_BYTES);
        return word & (1L << Layout.TIME_BITS) - 1;
    }
}
