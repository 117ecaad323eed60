package jfathom.runtime;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Whether the processor's counter can be the clock, and how it is read: the TSC of x86-64, the
 * virtual counter of aarch64. Separate from {@link TscPage}, which links only from 22 on.
 */
final class TscChoice {
    /** From this version on the JVM warns of libraries that are loaded without native access. */
    private static final int LOADING_IS_RESTRICTED = 24;
    /** From this version on there are downcalls, and {@code Module.isNativeAccessEnabled}. */
    private static final int DOWNCALLS = 22;

    /**
     * Whether the native library reads the counter, not the code page. Written once, by the thread
     * that opens the first session, before {@link Tsc} is initialised.
     */
    static boolean byLibrary;

    /** Whether the library can be used; null before it was tried. */
    private static Boolean library;

    /** What kept the library from being used, unless there was none; for the user. */
    static String libraryFailure;

    private TscChoice() {}

    /**
     * Sets up the reading of the counter. Returns CLOCK_REASON_TSC_LIBRARY or
     * CLOCK_REASON_TSC_PAGE, or why the counter cannot be the clock. With {@code jdkProbes} the
     * methods of the JDK have probes: those that a downcall runs through must not be met by one.
     */
    static int choose(boolean jdkProbes) throws Throwable {
        String arch = System.getProperty("os.arch");
        boolean x86 = "amd64".equals(arch);
        boolean known = x86 || "aarch64".equals(arch);
        if (!"Linux".equals(System.getProperty("os.name")) || !known) {
            return Layout.CLOCK_REASON_ARCHITECTURE;
        }
        if (x86 && !isInvariant()) return Layout.CLOCK_REASON_NOT_INVARIANT;
        // A JVM that is restored from a checkpoint may run on a machine whose counter is another.
        if (ModuleLayer.boot().findModule("jdk.crac").isPresent()) {
            return Layout.CLOCK_REASON_CHECKPOINTS;
        }
        boolean restricted =
                Jvm.JAVA >= DOWNCALLS && !NativeAccess.isEnabled(TscChoice.class.getModule());
        if (canUseLibrary()) {
            byLibrary = true;
            return Layout.CLOCK_REASON_TSC_LIBRARY;
        }
        if (restricted) return Layout.CLOCK_REASON_NO_NATIVE_ACCESS;
        if (!x86 || Jvm.JAVA < DOWNCALLS) return Layout.CLOCK_REASON_NO_LIBRARY;
        if (jdkProbes) return Layout.CLOCK_REASON_JDK_PROBES;
        return TscPage.make() ? Layout.CLOCK_REASON_TSC_PAGE : Layout.CLOCK_REASON_NO_CODE_PAGE;
    }

    /** Whether native methods can be called. Tried once, by the thread that opens the session. */
    static boolean canUseLibrary() {
        if (library == null) {
            boolean mayLoad =
                    Jvm.JAVA < LOADING_IS_RESTRICTED
                            || NativeAccess.isEnabled(TscChoice.class.getModule());
            library = mayLoad && hasLibrary();
        }
        return library;
    }

    /** Whether the native method can be called. The first call links it, which runs Java code. */
    private static boolean hasLibrary() {
        try {
            if (!Variant.HOST.provideTscLibrary()) return false;
            TscLibrary.read();
            return true;
        } catch (Throwable e) {
            libraryFailure = String.valueOf(e);
            return false;
        }
    }

    /** Whether Linux says that the counter runs at one rate in all power states. */
    private static boolean isInvariant() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new FileInputStream("/proc/cpuinfo"), StandardCharsets.ISO_8859_1))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("flags")) {
                    List<String> flags = Arrays.asList(line.split("\\s+"));
                    return flags.contains("constant_tsc") && flags.contains("nonstop_tsc");
                }
            }
        } catch (java.io.IOException e) {
            // Unknown counts as not invariant.
        }
        return false;
    }
}
