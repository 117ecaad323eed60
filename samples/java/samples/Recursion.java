package samples;

/** Direct and mutual recursion, with and without exceptions on the way up. */
public final class Recursion {
    static final class Bottom extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    public static void main(String[] args) { // calls(1)
        int sum = fib(15) + ackermann(2, 3) + hanoi(8) + (even(100) ? 1 : 0);
        dive(35);
        Expect.thrown(Bottom.class, () -> fall(50));
        System.out.println("recursion " + sum);
    }

    static int fib(int n) { // calls(1973)
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int ackermann(int m, int n) { // calls(44)
        if (m == 0) {
            return n + 1;
        }
        return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static int hanoi(int n) { // calls(511)
        return n == 0 ? 0 : hanoi(n - 1) + 1 + hanoi(n - 1);
    }

    static boolean even(int n) { // calls(51)
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) { // calls(50)
        return n != 0 && even(n - 1);
    }

    /** Depth 0 throws, depths 1 to 9 rethrow, depth 10 swallows. */
    static void dive(int depth) { // calls(36) throws(10) caught(10)
        if (depth == 0) {
            throw new Bottom();
        }
        try {
            dive(depth - 1);
        } catch (Bottom e) {
            if (depth % 10 != 0) {
                throw e;
            }
        }
    }

    static void fall(int depth) { // calls(51) throws(51)
        if (depth == 0) {
            throw new Bottom();
        }
        fall(depth - 1);
    }

    private Recursion() {}
}
