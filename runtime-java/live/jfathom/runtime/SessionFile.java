package jfathom.runtime;

/** The session file as it grows: the agent extends and maps it, always in the same range of addresses. */
final class SessionFile {
    private long lastOffset;
    private long length;

    /** Bytes so far. */
    long length() {
        return length;
    }

    /** Bytes that it may grow by. */
    long space() {
        try {
            return AgentInterface.space();
        } catch (UnsatisfiedLinkError e) {
            return Long.MAX_VALUE;
        }
    }

    /** File offset of what {@link #grow} has last given. */
    long lastOffset() {
        return lastOffset;
    }

    /** Appends {@code bytes} zeros, a multiple of the area alignment, and maps them; null if there is no space. */
    Region grow(long bytes, Memory memory) {
        long offset = AgentInterface.grow(bytes);
        if (offset < 0) return null;
        lastOffset = offset;
        length = offset + bytes;
        return new Region(AgentInterface.BASE + offset, null);
    }

    /** Whether the thread works for us: none does. */
    static boolean helps(Thread thread) {
        return false;
    }
}
