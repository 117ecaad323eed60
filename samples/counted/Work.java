package counted;

/**
 * A root of some seconds whose two callees do all the work, {@code heavy} three times as much as
 * {@code light}. Prints how many ns each of them took in all, by the program's own clock.
 */
public final class Work {
    static volatile int sink;

    private Work() {}

    private static int work(int seed, int steps) {
        int value = seed;
        for (int i = 0; i < steps; i++) {
            value = value * 31 + (value >>> 7);
        }
        return value;
    }

    static void heavy(int round) {
        sink = work(round, 900_000);
    }

    static void light(int round) {
        sink = work(round, 300_000);
    }

    static void root(int seconds) {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long inHeavy = 0;
        long inLight = 0;
        for (int round = 0; System.nanoTime() < end; round++) {
            long begin = System.nanoTime();
            heavy(round);
            long between = System.nanoTime();
            light(round);
            inHeavy += between - begin;
            inLight += System.nanoTime() - between;
        }
        System.out.println("heavy " + inHeavy);
        System.out.println("light " + inLight);
    }

    public static void main(String[] args) {
        root(Integer.parseInt(args[0]));
    }
}
