package live.made;

import java.util.function.IntUnaryOperator;

/** Loaded by a loader that only sees the JDK. */
public final class Loaded implements IntUnaryOperator {
    static final int BASE;

    static { // calls(1)
        BASE = 5;
    }

    @Override
    public int applyAsInt(int n) { // calls(2)
        return twice(n) + BASE;
    }

    static int twice(int n) { // calls(2)
        return 2 * n;
    }
}
