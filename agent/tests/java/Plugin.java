import java.util.function.IntUnaryOperator;

/** Loaded by a loader of its own, from bytes. */
public class Plugin implements IntUnaryOperator {
    @Override
    public int applyAsInt(int n) {
        return new Part().twice(n) + once(n);
    }

    private static int once(int n) {
        return n + 1;
    }

    static class Part {
        int twice(int n) {
            IntUnaryOperator more = this::add;
            return more.applyAsInt(n);
        }

        private int add(int n) {
            return n + n;
        }
    }
}
