package jfathom.runtime;

import java.io.FileInputStream;
import java.io.InputStream;

/** The calling thread as Linux knows it. */
final class KernelThread {
    /** More digits than an id has. */
    private static final int DIGITS = 12;

    private KernelThread() {}

    /** Its id in `/proc` as this process sees it; 0 if that is not known. */
    static long id() {
        byte[] start = new byte[DIGITS];
        int length;
        try (InputStream stat = new FileInputStream("/proc/thread-self/stat")) {
            length = stat.read(start);
        } catch (Throwable e) {
            // A system without this file, or a security manager: nothing depends on the id.
            Errors.passOn(e);
            return 0;
        }
        long id = 0;
        for (int i = 0; i < length; i++) {
            if (start[i] < '0' || start[i] > '9') return id;
            id = id * 10 + start[i] - '0';
        }
        return 0;
    }
}
