package jfathom.runtime;

/** The session file as it grows: the agent extends and maps it, always in the same range of addresses. */
final class SessionFile {
    private long lastOffset;

    /** File offset of what {@link #grow} has last given. */
    long lastOffset() {
        return lastOffset;
    }

    /** Appends {@code bytes} zeros, a multiple of the area alignment, and maps them; null if there is no space. */
    Region grow(long bytes, Memory memory) {
        long offset = Live.grow(bytes);
        if (offset < 0) return null;
        lastOffset = offset;
        return new Region(Live.BASE + offset, null);
    }

    /** Whether the thread works for us: none does. */
    static boolean helps(Thread thread) {
        return false;
    }
}
