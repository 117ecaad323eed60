package jfathom.runtime;

/** The processor's counter, read in the way that {@link TscChoice} has chosen. */
final class Tsc {
    private static final boolean BY_LIBRARY = TscChoice.byLibrary;

    private Tsc() {}

    static long read() {
        return BY_LIBRARY ? TscLibrary.read() : TscDowncall.read();
    }
}
