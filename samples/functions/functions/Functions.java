package functions;

/**
 * `Functions ROUNDS`: a few methods that call each other. Prints how often each was called. For
 * recordings whose probes count some of them, time others and leave others alone.
 */
public final class Functions {
    private static long steps;
    private static long middles;
    private static long leaves;
    private static long failures;
    private final int size;

    private Functions(int size) {
        this.size = size;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        Functions functions = new Functions(3);
        long sum = 0;
        for (int i = 0; i < rounds; i++) sum += step(functions, i);
        System.out.println("step " + steps);
        System.out.println("middle " + middles);
        System.out.println("leaf " + leaves);
        System.out.println("fail " + failures);
        System.out.println("size " + steps);
        if (sum == 42) System.out.println();
    }

    static int step(Functions functions, int number) {
        steps++;
        return middle(number) + functions.size();
    }

    static int middle(int number) {
        middles++;
        int sum = leaf(number) + leaf(number + 1);
        try {
            fail(number);
        } catch (IllegalStateException e) {
            sum++;
        }
        return sum;
    }

    static int leaf(int number) {
        leaves++;
        return Integer.bitCount(number) * 31;
    }

    static void fail(int number) {
        failures++;
        if (number % 3 == 0) throw new IllegalStateException();
    }

    /** Trivial: counted where no rule says otherwise. */
    int size() {
        return size;
    }
}
