package jfathom.runtime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The JVM's management bean of threads, which says how many bytes a thread has allocated. By a
 * method handle: the runtime's module may not read the bean's, and an image may lack it.
 */
final class ThreadBean {
    private static final String TYPE = "com.sun.management.ThreadMXBean";
    private static final String FACTORY = "java.lang.management.ManagementFactory";
    /** From the thread's number to long; a constant in compiled code. Null without a bean. */
    private static final MethodHandle ALLOCATED = find();

    /** Calls after which a method handle has its final form: later ones must not allocate. */
    private static final int WARM_UP_CALLS = 300;

    private ThreadBean() {}

    /** Whether there is a bean. Prepares it. */
    static boolean isThere(long tid) {
        if (ALLOCATED == null) return false;
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            if (read(tid) <= 0) return false;
        }
        return true;
    }

    /** Bytes that the platform thread with this number has allocated; below 0 if unknown. */
    static long read(long tid) {
        try {
            return (long) ALLOCATED.invokeExact(tid);
        } catch (Throwable e) {
            throw Errors.<RuntimeException>unchecked(e);
        }
    }

    private static MethodHandle find() {
        try {
            ClassLoader loader = ClassLoader.getPlatformClassLoader();
            Class<?> type = Class.forName(TYPE, true, loader);
            Class<?> factory = Class.forName(FACTORY, true, loader);
            Object bean = factory.getMethod("getPlatformMXBean", Class.class).invoke(null, type);
            MethodType longs = MethodType.methodType(long.class, long.class);
            return MethodHandles.publicLookup()
                    .findVirtual(type, "getThreadAllocatedBytes", longs)
                    .bindTo(bean);
        } catch (Throwable e) {
            Errors.passOn(e);
            return null;
        }
    }
}
