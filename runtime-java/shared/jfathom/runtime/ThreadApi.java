package jfathom.runtime;

/** Methods of Thread that not every JVM has. Both are final there. */
final class ThreadApi {
    private ThreadApi() {}

    /** From 19 on. */
    static long threadId(Thread thread) {
        return ((jfathom.stub.java.lang.Thread) (Object) thread).threadId();
    }

    /** Whether the thread is virtual; false where there are none. */
    static boolean virtual(Thread thread) {
        return Memory.THREAD_ID && Virtual.is(thread);
    }

    /** Apart, so that it is linked only where the method exists. */
    private static final class Virtual {
        static boolean is(Thread thread) {
            return ((jfathom.stub.java.lang.Thread) (Object) thread).isVirtual();
        }
    }
}
