package live.locked;

import java.util.function.IntUnaryOperator;

/** The last of the chain. */
public final class D implements IntUnaryOperator {
    @Override
    public synchronized int applyAsInt(int n) {
        return own(n);
    }

    private static synchronized int own(int n) {
        return n + 1;
    }
}
