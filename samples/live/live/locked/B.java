package live.locked;

import java.util.function.IntUnaryOperator;

/** Calls {@link C} from its initialiser, and with its monitor held. */
public final class B implements IntUnaryOperator {
    private static final int BASE;

    static {
        BASE = prepare() + new C().applyAsInt(1);
    }

    @Override
    public int applyAsInt(int n) {
        synchronized (B.class) {
            return own(n) + new C().applyAsInt(n) + BASE;
        }
    }

    private static synchronized int prepare() {
        return 3;
    }

    private static synchronized int own(int n) {
        return n + 1;
    }
}
