package live;

import java.util.function.IntUnaryOperator;

/**
 * Does its roots a number of times, with known numbers of calls in each. `Work N` does `root`,
 * `Work N other` the other one.
 */
final class Work implements Act {
    @Override
    public String act(String[] words) {
        long sum = 0;
        boolean other = words.length > 1;
        for (int i = 0, n = Integer.parseInt(words[0]); i < n; i++) {
            sum += other ? other(i) : root(i);
        }
        return Long.toString(sum);
    }

    /**
     * Calls `step` three times, `leaf` six times, the lambda's body twice, `Deeper.down` five
     * times.
     */
    static int root(int n) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += step(n + i);
        }
        IntUnaryOperator body = x -> x * 3 + n;
        return sum + body.applyAsInt(1) + body.applyAsInt(2) + Deeper.down(4);
    }

    /** Calls `step` once, `leaf` twice, `only` once. */
    static int other(int n) {
        return step(n) + only(n);
    }

    static int step(int n) {
        return leaf(n) + leaf(n + 1);
    }

    static int leaf(int n) {
        int bits = 0;
        for (int rest = n; rest != 0; rest >>>= 1) {
            bits += rest & 1;
        }
        return bits;
    }

    static int only(int n) {
        return n % 7;
    }

    static final class Deeper {
        static int down(int n) {
            return n == 0 ? 0 : down(n - 1) + 1;
        }
    }
}
