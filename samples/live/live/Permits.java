package live;

import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;

/**
 * `Permits ROUNDS`: what a first call must not take from a thread: its permit to park, its
 * interrupt. Each round has classes of its own.
 */
final class Permits implements Act {
    @Override
    public String act(String[] words) throws Exception {
        int kept = 0;
        for (int i = 0, n = Integer.parseInt(words[0]); i < n; i++) {
            LockSupport.unpark(Thread.currentThread());
            root(new Loader("live.plug."));
            LockSupport.park();
            Thread.currentThread().interrupt();
            root(new Loader("live.plug."));
            kept += Thread.interrupted() ? 1 : 0;
            kept += Thread.interrupted() ? 100 : 0;
        }
        return "kept " + kept;
    }

    static int root(Loader loader) throws Exception {
        Class<?> type = Class.forName("live.plug.Plugin", true, loader);
        return ((IntUnaryOperator) type.getDeclaredConstructor().newInstance()).applyAsInt(2);
    }
}
