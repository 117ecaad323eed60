package live;

/**
 * Methods that native code calls, by all of JNI's functions. `Native LIBRARY N` does the root N
 * times, and N times on a thread that native code starts; `Native LIBRARY table` gives a sum over
 * JNI's functions; `Native LIBRARY overlay` replaces one of them; `Native LIBRARY time N` times N
 * calls inside `timed`.
 *
 * In a root, per function: each of the methods named by a letter, `v` and those of `Sub` three
 * times, by each form of its function; those with an `s` before it likewise; `sum` 93 times.
 */
class Native implements Act {
    private static boolean loaded;

    @Override
    public String act(String[] words) {
        if (!loaded) System.load(words[0]);
        loaded = true;
        if (words[1].equals("table")) return Long.toHexString(table());
        if (words[1].equals("overlay")) return Boolean.toString(overlay());
        if (words[1].equals("time")) return Long.toString(timed(Integer.parseInt(words[2])));
        long sum = 0;
        int rounds = Integer.parseInt(words[1]);
        for (int i = 0; i < rounds; i++) {
            sum += root(i);
        }
        return sum + " " + onThread(rounds);
    }

    /** What it calls is called by native code alone. */
    static long root(int n) {
        long sum = all(new Sub(), n) + nest(3);
        try {
            fail();
        } catch (IllegalStateException e) {
            sum++;
        }
        return caught() ? sum : -1;
    }

    static long timed(int calls) {
        return time(calls);
    }

    static native long all(Native of, int n);

    static native int nest(int n);

    static native void fail();

    static native boolean caught();

    static native long onThread(int rounds);

    static native long table();

    static native long time(int calls);

    static native boolean overlay();

    static void empty() {}

    static void failing() {
        throw new IllegalStateException("expected");
    }

    /** Calls itself through native code: with 3 it is called four times. */
    static int nested(int n) {
        return n == 0 ? 0 : nest(n - 1) + 1;
    }

    /** Of all parameters, each in its place. */
    static long sum(int a, double b, long c, float d, int e, double f, long g, float h, int i,
            double j, long k, float l, int m, double n, long o,
            float p, Object q) {
        double[] numbers = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
        long sum = q == null ? 0 : 1;
        for (double number : numbers) {
            sum = sum * 31 + (long) number;
        }
        return sum;
    }

    Object l(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) == 0 ? null : this;
    }

    static Object sl(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) == 0 ? null : q;
    }

    boolean z(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) & 1) != 0;
    }

    static boolean sz(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 1 & 1) != 0;
    }

    byte b(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (byte) sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
    }

    static byte sb(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (byte) (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 1);
    }

    char c(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (char) sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
    }

    static char sc(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (char) (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 1);
    }

    short s(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (short) sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
    }

    static short ss(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (short) (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 1);
    }

    int i(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (int) sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
    }

    static int si(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (int) (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 1);
    }

    long j(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
    }

    static long sj(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 1;
    }

    float f(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) % 1000;
    }

    static float sf(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 1) % 1000;
    }

    double d(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) % 1000;
    }

    static double sd(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        return (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 1) % 1000;
    }

    void v(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
    }

    static void sv(int a, double b, long c, float d, int e, double f, long g, float h,
            int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
        sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
    }

    static final class Sub extends Native {
        @Override
        Object l(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            return sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) == 0 ? null : this;
        }

        @Override
        boolean z(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            return (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 2 & 1) != 0;
        }

        @Override
        byte b(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            return (byte) (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 2);
        }

        @Override
        char c(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            return (char) (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 2);
        }

        @Override
        short s(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            return (short) (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 2);
        }

        @Override
        int i(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            return (int) (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 2);
        }

        @Override
        long j(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            return sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 2;
        }

        @Override
        float f(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            return (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 2) % 1000;
        }

        @Override
        double d(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            return (sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) + 2) % 1000;
        }

        @Override
        void v(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
        }
    }

    static final class Made {
        Made(int a, double b, long c, float d, int e, double f, long g, float h,
                int i, double j, long k, float l, int m, double n, long o, float p, Native q) {
            sum(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
        }
    }
}
