package jfathom.runtime;

/** A mapped part of the session file, as the {@link Memory} in use sees it. Never unmapped. */
final class Region {
    /** The place of its first byte, for {@link Memory#put}. */
    final long origin;
    /** Keeps the mapping alive. Some memories need it for each access. */
    final Object store;

    Region(long origin, Object store) {
        this.origin = origin;
        this.store = store;
    }
}
