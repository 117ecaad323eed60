package jfathom.runtime;

/** The processor's counter, read by a native library: {@link Host#provideTscLibrary}. */
final class TscLibrary {
    private TscLibrary() {}

    static native long read();
}
