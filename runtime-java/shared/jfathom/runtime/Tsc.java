package jfathom.runtime;

import java.lang.invoke.MethodHandle;

/** The time stamp counter, read by the code page that {@link TscPage} has made. */
final class Tsc {
    private static final MethodHandle READ = TscPage.reader;

    private Tsc() {}

    static long read() {
        try {
            return (long) READ.invokeExact();
        } catch (Throwable e) {
            throw SlowPath.<RuntimeException>unchecked(e);
        }
    }
}
