package trust;

/**
 * A program whose instrumented shares lie. {@code sorted} and {@code hashed} do long work in few
 * calls: together nine tenths of the time. {@code summed} calls {@code tiny} and {@code divided}
 * 200,000 times a round. The JIT compiler inlines both, so in the uninstrumented program they take
 * next to nothing beside the loop that calls them. With probes they are calls.
 */
public final class Shares {
    static volatile long sink;

    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
        System.out.println(root(rounds));
    }

    static long root(int rounds) {
        long result = 0;
        for (int round = 0; round < rounds; round++) {
            result = 31 * result + sorted(round);
            result = 31 * result + hashed(round);
            result = 31 * result + summed(round);
        }
        return result;
    }

    /**
     * Long work in one call: no probe is inside. By Shell's algorithm: the JDK's own sort takes
     * much less where the JVM has vector instructions for it.
     */
    static long sorted(int seed) {
        long[] numbers = new long[60_000];
        long state = seed + 1;
        for (int i = 0; i < numbers.length; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            numbers[i] = state >>> 20;
        }
        for (int gap = numbers.length / 2; gap > 0; gap = gap * 5 / 11) {
            for (int i = gap; i < numbers.length; i++) {
                long number = numbers[i];
                int to = i;
                for (; to >= gap && numbers[to - gap] > number; to -= gap) {
                    numbers[to] = numbers[to - gap];
                }
                numbers[to] = number;
            }
        }
        return numbers[numbers.length / 2];
    }

    /** Long work in one call: no probe is inside. */
    static long hashed(int seed) {
        long hash = seed;
        for (int i = 0; i < 7_000_000; i++) {
            hash = (hash ^ i) * 0x100000001b3L;
        }
        return hash;
    }

    /** A loop around a tiny method. */
    static long summed(int seed) {
        long sum = seed;
        for (int i = 0; i < 200_000; i++) {
            sum = tiny(sum, i) + divided(sum);
        }
        return sum;
    }

    /** Some ten nanoseconds of work, in which nothing is called. */
    static long divided(long sum) {
        return sum / ((sum & 7) + 3) + sum % ((sum & 31) + 5);
    }

    /** Two additions: the compiler makes them a part of the loop. */
    static long tiny(long sum, int i) {
        return sum + i;
    }

    private Shares() {}
}
