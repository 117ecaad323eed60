package jfathom.runtime;

/** Methods of Thread that not every JVM has. Both are final: no program overrides them. */
final class ThreadApi {
    private ThreadApi() {}

    /** From 19 on. */
    static long threadId(Thread thread) {
        return ((jfathom.stub.java.lang.Thread) (Object) thread).threadId();
    }

    /** Whether the thread is virtual; false on JVMs without virtual threads. */
    static boolean isVirtual(Thread thread) {
        return Jvm.THREAD_ID && Virtual.isVirtual(thread);
    }

    /** A class of its own, so that it is linked only where the method exists. */
    private static final class Virtual {
        static boolean isVirtual(Thread thread) {
            return ((jfathom.stub.java.lang.Thread) (Object) thread).isVirtual();
        }
    }
}
