package jfathom.runtime;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** This process as Linux knows it. ProcessHandle would start thread pools and make lambdas. */
final class ProcessInfo {
    /** Unit of the times in /proc, on every Linux that runs Java. */
    private static final long TICKS_PER_SECOND = 100;
    /** Number of the field in /proc/self/stat, from 1. */
    private static final int START_TIME = 22;

    /** Process id, in the name space of the JVM's /proc. */
    final long pid;
    /** Start of the process, milliseconds since the epoch, to a hundredth of a second. */
    final long startMillis;

    ProcessInfo() throws IOException {
        String stat = read("/proc/self/stat");
        pid = Long.parseLong(stat.substring(0, stat.indexOf(' ')));
        // The name in parentheses may hold anything; the fields after it are numbers.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[START_TIME - 3]);
        String boot = read("/proc/stat");
        int from = boot.indexOf("btime ") + "btime ".length();
        long seconds = Long.parseLong(boot.substring(from, boot.indexOf('\n', from)));
        startMillis = seconds * 1000 + ticks * 1000 / TICKS_PER_SECOND;
    }

    private static String read(String path) throws IOException {
        try (FileInputStream in = new FileInputStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
