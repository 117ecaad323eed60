package jfathom.runtime;

/**
 * The share of one thread in the remaining space: small enough that as many threads again get one,
 * however many there are.
 */
final class Space {
    /** Bytes that a session takes at most, with rings of the usual size. */
    private static final long BUDGET = 1L << 30;
    /** The first threads get the share that the thread of this number gets. */
    private static final int FEW = 16;

    private Space() {}

    /** Bytes for the next thread, if {@code rings} rings were made. */
    static long share(int rings) {
        long most = Math.max(BUDGET, 4L * FEW * SessionData.current.ringBytes);
        long budget = most - Variant.HOST.fileLength();
        return Math.min(Variant.HOST.freeSpace(), budget) / (4 * Math.max(rings, FEW));
    }

    /** The largest ring within a share: {@code asked} bytes at most, at least {@code smallest}. */
    static int ringBytes(long share, int asked, int smallest) {
        int bytes = asked;
        while (bytes > share && bytes > smallest) bytes >>= 1;
        return bytes;
    }
}
