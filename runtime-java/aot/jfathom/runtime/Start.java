package jfathom.runtime;

import java.nio.file.Path;
import java.nio.file.Paths;

/** Opens the session, at the first probe. Whatever fails leaves the runtime inert. */
final class Start {
    /** System property by which copies of the runtime in one JVM know each other: the session file. */
    private static final String PROPERTY = "jfathom.session";
    private static final String ENV_CLOCK = "JFATHOM_CLOCK";
    private static final String ENV_IDS = "JFATHOM_IDS";
    /** Ids are given room in steps of this. */
    private static final int IDS_STEP = 16_384;
    /** Room for ids where nobody says how many there are. */
    private static final int IDS_UNKNOWN = 131_072;
    /** What {@link CalibrationLoops} needs; not read from there, as that class is made when the session is open. */
    private static final int IDS_SPARE = Layout.LIVE_IDS_SPARE;
    private static final int IDS_MAX = 1 << Layout.ID_BITS;
    /** How long the TSC is compared with nanoTime: an error of 50 ns is then one of 25 ppm. */
    private static final long COMPARE_NANOS = 2_000_000;

    /** The session being opened; read by {@link Session} and {@link Rings} when it is there. */
    static SessionOpening opening;

    private Start() {}

    /** Called once, by the first probe. */
    static void begin() {
        try {
            if (!BootPhase.up()) {
                Probe.pending = true;
                return;
            }
            String directory = System.getenv(Layout.ENV_SESSION);
            if (directory == null || directory.isEmpty()) return;
            boolean interrupted = Thread.interrupted();
            try {
                open(Paths.get(directory));
            } finally {
                if (interrupted) Thread.currentThread().interrupt();
            }
        } catch (Throwable e) {
            SlowPath.passOn(e);
        }
    }

    /** Tries again what came too early. */
    static void retry() {
        if (Thread.holdsLock(Start.class)) return;
        synchronized (Start.class) {
            if (!Probe.pending) return;
            Probe.pending = false;
            begin();
        }
    }

    private static void open(Path directory) throws Throwable {
        if (!DirectoryOwner.ours(directory)) return;
        ProcessInfo self = new ProcessInfo();
        Path path =
                directory.resolve(Layout.FILE_PREFIX + self.pid + '-' + self.startMillis + Layout.FILE_SUFFIX);
        Object first = System.getProperties().putIfAbsent(PROPERTY, path.toString());
        if (first != null) {
            InertCopy.report(first.toString());
            return;
        }
        SessionFile file = SessionFile.create(path);
        try {
            SessionOpening session = new SessionOpening();
            session.file = file;
            session.memory = MemoryChoice.choose();
            VisibleManifests seen = VisibleManifests.manifests(System.getenv(ENV_IDS), IDS_STEP, IDS_UNKNOWN, IDS_MAX, IDS_SPARE);
            session.ringBytes = ringBytes();
            if (session.layOut(seen.ids, seen.known, seen.idsToSpare, seen.roots)) {
                session.calibrate(System.getenv(Layout.ENV_CALIBRATE));
                session.modes(directory.resolve(Layout.MODES_FILE));
                // The method handle that reads the TSC runs through methods of java.base, and so through probes.
                String instrumented = "reading session would call instrumented methods of java.base";
                session.clock(System.getenv(ENV_CLOCK), COMPARE_NANOS, BootPhase.inBase() ? instrumented : null);
                session.describe(self.pid, self.startMillis);
                for (String manifest : seen.manifests) session.inform(Layout.INFO_MANIFEST, manifest);
                opening = session;
                Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_READY);
                initialise();
                ShutdownHook.watch();
                Probe.on = true;
                return;
            }
        } catch (Throwable e) {
            InertCopy.reason(path, e);
            SlowPath.passOn(e);
        }
        file.delete();
    }

    private static int ringBytes() {
        String given = System.getenv(Layout.ENV_RING_BYTES);
        return SessionOpening.ringBytes(given == null ? -1 : VisibleManifests.parse(given));
    }

    /** Nobody has code that reads the TSC. */
    static long tscCode() {
        return 0;
    }

    /** No agent waits for first calls. */
    static void firstCall(int id) {}

    /** Whether the task methods of this class, of the boot loader, have probes. */
    static boolean taskProbes(Class<?> type) {
        return type.getModule() == Probe.class.getModule();
    }

    /** A class whose initialisation meets a full heap is lost for ever: so it is done now. */
    private static void initialise() throws ClassNotFoundException {
        Class<?>[] classes = {
            RecordWriter.class, SlowPath.class, Losses.class, FlowControl.class, Threads.class, Rings.class, Space.class, Counters.class, Tasks.class, TaskMarks.class,
            ThreadApi.class
        };
        if (opening.calibrateStart || opening.calibrateEnd) {
            Class.forName(Calibration.class.getName(), true, Calibration.class.getClassLoader());
            Class.forName(CalibrationLoops.class.getName(), true, CalibrationLoops.class.getClassLoader());
        }
        for (Class<?> each : classes) Class.forName(each.getName(), true, each.getClassLoader());
    }
}
