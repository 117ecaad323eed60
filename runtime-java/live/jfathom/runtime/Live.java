package jfathom.runtime;

/**
 * What agent and runtime have of each other. The agent calls the static methods over JNI, of which none throws, and
 * registers the native ones.
 *
 * <p>One session at a time, as many as wanted. What {@link Session} holds as constants is the same in all of them: the
 * agent maps each session's file at the same addresses, and the areas are as large in each.
 */
final class Live {
    /** Where the session file is mapped, in every session. */
    static final long BASE = base();
    /** What the agent that defined these classes calls itself: the content hash of its library. Set by it. */
    static String agent;

    private Live() {}

    /** Address of the range in which session files are mapped. */
    static native long base();

    /** Appends zeros to the session file and maps them; their file offset, or −1 if there is no space or no session. */
    static native long grow(long bytes);

    /** A method is called inside a root for the first time: comes back when its callees are live. */
    static native void firstCall(int id);

    /** A Method or Constructor is about to be invoked, or becomes a method handle. */
    static native void reflected(Object member);

    /** A method handle is looked up: by MethodType, or null where nothing says the type. */
    static native void lookedUp(Class<?> type, String name, Object methodType);

    /** What the classes were built from; other sources have another one. */
    static long build() {
        return Layout.BUILD;
    }

    static String start(
            String path,
            long pid,
            long startMillis,
            String clock,
            int ringBytes,
            boolean calibrateStart,
            boolean calibrateEnd,
            String notices,
            boolean jdkMethods) {
        return "not there";
    }

    static void stop() {}

    static void reset() {}

    static void paused(long nanos) {}
}
