package jfathom.runtime;

/**
 * How much of the space that is left one thread may take: so little that as many threads again find some, however many there are.
 */
final class Space {
    /** All that a session takes, where rings of the usual size are asked for. */
    private static final long BUDGET = 4L << 30;
    /** The first threads get as much as if there were so many. */
    private static final int FEW = 16;

    private Space() {}

    /** Bytes for something of the next thread, where so many rings were made. */
    static long share(int rings) {
        SessionOpening opening = Start.opening;
        long budget = Math.max(BUDGET, 4L * FEW * opening.ringBytes) - opening.file.length();
        return Math.min(opening.file.space(), budget) / (4 * Math.max(rings, FEW));
    }

    /** The largest ring of a share, if no larger than asked for; at least {@code smallest}. */
    static int ring(long share, int asked, int smallest) {
        int bytes = asked;
        while (bytes > share && bytes > smallest) bytes >>= 1;
        return bytes;
    }
}
