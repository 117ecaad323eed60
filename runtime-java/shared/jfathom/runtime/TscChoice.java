package jfathom.runtime;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Whether the time stamp counter can be the clock. Separate from {@link TscPage}, which links only
 * from 22 on.
 */
final class TscChoice {
    private TscChoice() {}

    /** CLOCK_REASON_TSC_USABLE, or why the TSC cannot be the clock. Takes little time. */
    static int reason() {
        boolean linux = "Linux".equals(System.getProperty("os.name"));
        if (!linux || !"amd64".equals(System.getProperty("os.arch"))) {
            return Layout.CLOCK_REASON_ARCHITECTURE;
        }
        if (Memory.JAVA < 22) return Layout.CLOCK_REASON_OLD_JVM;
        if (!NativeAccess.isEnabled(Probe.class.getModule())) {
            return Layout.CLOCK_REASON_NO_NATIVE_ACCESS;
        }
        return isInvariant()
                ? Layout.CLOCK_REASON_TSC_USABLE
                : Layout.CLOCK_REASON_NOT_INVARIANT;
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
