package live;

import java.util.function.IntUnaryOperator;

/**
 * The tests move this class file to where no loader finds it, and {@link Defined} defines it from
 * its bytes.
 */
final class Pattern implements IntUnaryOperator {
    @Override
    public int applyAsInt(int n) { // calls(2)
        return inner(n) + 1;
    }

    private static int inner(int n) { // calls(2)
        return n * n;
    }
}
