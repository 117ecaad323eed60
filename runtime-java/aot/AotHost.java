package jfathom.runtime;

import java.nio.file.Path;
import java.nio.file.Paths;

/** The host of rewritten programs: opens the one session of the JVM, at the first probe. */
final class AotHost extends Host {
    /** System property that names the session file to further copies of the runtime in the JVM. */
    private static final String PROPERTY = "jfathom.session";
    /** How long the TSC is compared with nanoTime. An error of 50 ns is then one of 25 ppm. */
    private static final long COMPARE_NANOS = 2_000_000;

    /** The session file; null while no session is being opened. */
    private SessionFile file;
    /** The link to the clock library in the session directory. Set before the clock is chosen. */
    private Path clockLink;

    @Override
    void openAtFirstProbe() throws Throwable {
        if (!BootPhase.isComplete()) {
            Gate.pending = true;
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
    }

    @Override
    boolean opensLater() {
        return false;
    }

    @Override
    void retryOpening() {
        if (Thread.holdsLock(AotHost.class)) return;
        synchronized (AotHost.class) {
            if (!Gate.pending) return;
            Gate.pending = false;
            start();
        }
    }

    private void open(Path directory) throws Throwable {
        if (!DirectoryOwner.isOurs(directory)) return;
        ProcessInfo process = new ProcessInfo();
        String name = Layout.FILE_PREFIX + process.pid + '-' + process.startMillis;
        Path path = directory.resolve(name + Layout.FILE_SUFFIX);
        Object first = System.getProperties().putIfAbsent(PROPERTY, path.toString());
        if (first != null) {
            InertCopy.countIn(first.toString());
            return;
        }
        file = SessionFile.create(path);
        try {
            SessionOpening session = new SessionOpening();
            session.memory = MemoryChoice.choose();
            VisibleManifests manifests = VisibleManifests.read(System.getenv(Layout.ENV_IDS));
            session.ringBytes = ringBytes();
            String metrics = System.getenv(Layout.ENV_METRICS);
            if (session.layOut(
                    manifests.ids,
                    manifests.known,
                    manifests.hasCalibrationIds,
                    manifests.hasRoots,
                    metrics)) {
                session.setCalibration(System.getenv(Layout.ENV_CALIBRATE));
                session.readModes(directory.resolve(Layout.MODES_FILE));
                session.readReadingTable(directory.resolve(Layout.READING_FILE));
                session.readStackIntervals(directory.resolve(Layout.STACK_INTERVALS_FILE));
                session.rootsOnly = directory.resolve(Layout.ROOTS_ONLY_FILE).toFile().exists();
                clockLink = directory.resolve(Layout.CLOCK_LINK);
                session.chooseClock(
                        System.getenv(Layout.ENV_CLOCK), COMPARE_NANOS, BootPhase.isInJavaBase());
                String why = session.setMetrics(metrics, BootPhase.isInJavaBase());
                if (why != null) throw new IllegalStateException(why);
                session.describeJvm(process.pid, process.startMillis);
                for (String text : manifests.texts) session.addInfo(Layout.INFO_MANIFEST, text);
                RootSampling.reset(RootSampling.parse(System.getenv(Layout.ENV_SAMPLE_ROOTS)));
                SessionData.current = session;
                Session.MEMORY.putInt(Session.HEAD, Layout.HEADER_STATE, Layout.STATE_READY);
                EarlyClasses.initialise();
                ShutdownHook.install();
                Inside.open();
                Gate.on = true;
                if (session.jfrClock) JfrClock.open();
                return;
            }
        } catch (Throwable e) {
            InertCopy.writeReason(path, e);
            Errors.passOn(e);
        }
        file.delete();
    }

    private static int ringBytes() {
        String given = System.getenv(Layout.ENV_RING_BYTES);
        return SessionOpening.ringBytes(given == null ? -1 : VisibleManifests.parse(given));
    }

    /** No agent waits for first calls. */
    @Override
    void firstCall(int id) {}

    @Override
    boolean provideTscLibrary() throws Throwable {
        return ClockLibrary.load(clockLink);
    }

    @Override
    long vmSymbol(int which) {
        return VmSymbols.address(which);
    }

    @Override
    long threadCpuNanos() {
        return ThreadCpu.nanos();
    }

    @Override
    void calibrateAtStart() {
        Calibration.atStart();
    }

    /** The JDK's classes are rewritten only where the runtime is part of java.base. */
    @Override
    boolean hasTaskProbes(Class<?> type) {
        return type.getModule() == Probe.class.getModule();
    }

    /** Only the agent sees threads park. */
    @Override
    long parkedPlace() {
        return 0;
    }

    @Override
    void watchMounts() {}

    @Override
    long parkedSoFar(Thread thread) {
        return 0;
    }

    @Override
    boolean isHelper(Thread thread) {
        return thread instanceof SessionFile.Helper || thread instanceof JfrClock;
    }

    @Override
    Region grow(long bytes, Memory memory) {
        return file.grow(bytes, memory);
    }

    @Override
    long lastOffset() {
        return file.lastOffset();
    }

    @Override
    long fileLength() {
        return file.length();
    }

    @Override
    long freeSpace() {
        return file.space();
    }
}
