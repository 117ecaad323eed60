package live;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * `Leak LOADERS`: calls a class in as many loaders inside `root`, lets them go, and waits until all
 * of them are collected.
 */
final class Leak implements Act {
    private static final List<Loader> KEPT = new ArrayList<>();

    @Override
    public String act(String[] words) throws Exception {
        List<WeakReference<Loader>> loaders = new ArrayList<>();
        if (words[0].equals("drop")) {
            KEPT.forEach(loader -> loaders.add(new WeakReference<>(loader)));
            KEPT.clear();
        } else {
            for (int i = 0, n = Integer.parseInt(words[0]); i < n; i++) {
                Loader loader = new Loader("live.plug.");
                root(loader);
                loaders.add(new WeakReference<>(loader));
                if (words.length > 1) {
                    KEPT.add(loader);
                }
            }
        }
        if (KEPT.isEmpty()) {
            for (WeakReference<Loader> loader : loaders) {
                while (loader.get() != null) {
                    System.gc();
                }
            }
        }
        return loaders.size() + (KEPT.isEmpty() ? " gone" : " kept");
    }

    static int root(Loader loader) throws Exception {
        Class<?> type = Class.forName("live.plug.Plugin", true, loader);
        return ((IntUnaryOperator) type.getDeclaredConstructor().newInstance()).applyAsInt(2);
    }
}
