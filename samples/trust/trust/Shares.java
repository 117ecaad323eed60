package trust;

import java.util.Arrays;

/**
 * A program whose instrumented shares lie. Three methods take about a third of the time each:
 * {@code sorted} and {@code hashed} do long work in few calls, and {@code summed} calls {@code tiny}
 * some hundred million times. The JIT compiler inlines {@code tiny}, so in the uninstrumented
 * program it takes next to nothing beside the loop that calls it. With probes it is a call.
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

    /** Long work in one call: no probe is inside. */
    static long sorted(int seed) {
        long[] numbers = new long[90_000];
        long state = seed + 1;
        for (int i = 0; i < numbers.length; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            numbers[i] = state >>> 20;
        }
        Arrays.sort(numbers);
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
