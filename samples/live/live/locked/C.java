package live.locked;

import java.util.function.IntUnaryOperator;

/** Calls {@link D} from its initialiser, and with its monitor held. */
public final class C implements IntUnaryOperator {
    private static final int BASE;

    static {
        BASE = prepare() + new D().applyAsInt(1);
    }

    @Override
    public int applyAsInt(int n) {
        synchronized (C.class) {
            return own(n) + new D().applyAsInt(n) + BASE;
        }
    }

    private static synchronized int prepare() {
        return 3;
    }

    private static synchronized int own(int n) {
        return n + 1;
    }
}
