package samples;

/**
 * The stack overflows at a different place in every round: in the method, in its probes, or in the
 * runtime. The number of calls is unknown. What holds is entries = returns + throws + inferred, and
 * which method catches.
 */
public final class Overflow {
    private static final int ROUNDS = 64;
    private static int overflows;
    private static long sink;

    public static void main(String[] args) throws InterruptedException { // calls(1)
        for (int size = 0; size < 2; size++) {
            long stack = (256L + 128 * size) << 10;
            Thread thread = new Thread(null, Overflow::rounds, "deep" + size, stack);
            thread.start();
            thread.join();
        }
        after();
        System.out.println("overflows " + overflows);
    }

    static void rounds() { // calls(2)
        for (int round = 0; round < ROUNDS; round++) {
            round(round);
        }
    }

    static void round(int round) { // calls(128) caught(128)
        try {
            pad(round);
        } catch (StackOverflowError e) {
            overflows++;
        }
    }

    /** Moves the place of the overflow by small frames. */
    static int pad(int frames) { // reconciles
        return frames == 0 ? (overflows % 2 == 0 ? down(1) : wide(1, 2, 3, 4)) : pad(frames - 1);
    }

    static int down(int depth) { // reconciles
        return down(depth + 1) + 1;
    }

    static int wide(long a, long b, long c, int depth) { // reconciles
        sink = a + b * c;
        return locked(depth) + wide(b, c, a, depth + 1);
    }

    static synchronized int locked(int depth) { // reconciles
        return depth & 1;
    }

    static void after() {} // calls(1)

    private Overflow() {}
}
