package live;

import java.util.function.IntUnaryOperator;

/**
 * `Deep ROUNDS`: the stack overflows near a first call, at another place in each round; every round
 * has classes of its own.
 */
final class Deep implements Act {
    @Override
    public String act(String[] words) throws Exception {
        Throwable[] failed = new Throwable[1];
        int rounds = Integer.parseInt(words[0]);
        Thread thread = new Thread(null, () -> {
            root(new Loader("live.plug."), -1);
            for (int round = 0; round < rounds; round++) {
                root(new Loader("live.plug."), round % 8);
            }
        }, "deep", 512 << 10);
        thread.setUncaughtExceptionHandler((dead, thrown) -> failed[0] = thrown);
        thread.start();
        thread.join();
        if (failed[0] != null) {
            throw new IllegalStateException(failed[0]);
        }
        return "after " + after(5);
    }

    /** With -1 not at the end of the stack: what the JDK needs for it is then loaded. */
    private static void root(Loader loader, int pad) {
        try {
            if (pad < 0) {
                call(loader, 0);
            } else {
                pad(loader, pad);
            }
        } catch (StackOverflowError | ReflectiveOperationException | LinkageError e) {
            // How often, and where, is the JVM's business.
        }
    }

    private static int pad(Loader loader, int frames) throws ReflectiveOperationException {
        return frames == 0 ? down(loader, 1) : pad(loader, frames - 1);
    }

    /**
     * Goes down to the end of the stack; on the way back, where there is little room, comes a first
     * call.
     */
    private static int down(Loader loader, int depth) throws ReflectiveOperationException {
        try {
            return down(loader, depth + 1) + 1;
        } catch (StackOverflowError e) {
            return call(loader, depth);
        }
    }

    private static int call(Loader loader, int depth) throws ReflectiveOperationException {
        Class<?> type = Class.forName("live.plug.Plugin", true, loader);
        return ((IntUnaryOperator) type.getDeclaredConstructor().newInstance()).applyAsInt(depth);
    }

    static int after(int n) {
        return n == 0 ? 0 : after(n - 1) + 1;
    }
}
