package live.plug;

import java.util.function.IntUnaryOperator;

/** What {@code live.Pages} defines under another package's name. */
public final class Page extends Base implements IntUnaryOperator {
    @Override
    public int applyAsInt(int n) {
        return root(n);
    }

    static int root(int n) {
        return part(n) + 1;
    }

    static int part(int n) {
        return n * 2;
    }
}
