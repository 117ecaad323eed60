package jfathom.runtime;

import java.lang.invoke.MethodHandle;

/** The processor's counter, read by the code page that {@link TscPage} has made. */
final class TscDowncall {
    private static final MethodHandle READ = TscPage.reader;

    private TscDowncall() {}

    static long read() {
        try {
            return (long) READ.invokeExact();
        } catch (Throwable e) {
            throw Errors.<RuntimeException>unchecked(e);
        }
    }
}
