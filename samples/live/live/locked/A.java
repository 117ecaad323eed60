package live.locked;

import java.util.function.IntUnaryOperator;

/** Calls {@link B} from its initialiser, and with its monitor held. */
public final class A implements IntUnaryOperator {
    private static final int BASE;

    static {
        BASE = prepare() + new B().applyAsInt(1);
    }

    @Override
    public int applyAsInt(int n) {
        synchronized (A.class) {
            return own(n) + new B().applyAsInt(n) + BASE;
        }
    }

    private static synchronized int prepare() {
        return 3;
    }

    private static synchronized int own(int n) {
        return n + 1;
    }
}
