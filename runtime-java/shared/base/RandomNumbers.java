package jfathom.runtime;

/** The random numbers of one thread, which alone asks for them. */
final class RandomNumbers {
    /** Tells the thread from others that begin at the same moment. */
    private final long seed;
    /** Zero before the first number. */
    private long state;

    RandomNumbers(long seed) {
        this.seed = seed;
    }

    long next() {
        long random = state;
        if (random == 0) random = System.nanoTime() * 0x9e37_79b9_7f4a_7c15L ^ seed | 1;
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        state = random;
        return random;
    }
}
