package callers;

/**
 * Calls itself until the stack is full, and then calls {@code after} ten times. For recordings that
 * walk the stacks of both.
 */
public final class Deep {
    private static int depth;

    private Deep() {}

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            depth = 0;
            try {
                sum += down(i);
            } catch (StackOverflowError e) {
                sum++;
            }
        }
        for (int i = 0; i < 10; i++) sum += after(i);
        System.out.println(depth > 100 && sum > 0 ? "caught" : "not deep");
    }

    static int down(int number) {
        depth++;
        return down(number + 1) + 1;
    }

    static int after(int number) {
        return Integer.bitCount(number) * 31;
    }
}
