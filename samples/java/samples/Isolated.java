package samples;

// run: alone

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Runs a plug-in, whose jar or folder is the argument, in loaders that see nothing but the JDK;
 * then lets them go.
 */
public final class Isolated {
    public static void main(String[] args) throws Exception { // calls(1)
        WeakReference<ClassLoader> first = load(Path.of(args[0]).toUri().toURL());
        for (int i = 0; i < 11; i++) {
            load(Path.of(args[0]).toUri().toURL());
        }
        // The plug-in's classes can be unloaded: nothing of the recording holds them.
        while (first.get() != null) {
            System.gc();
        }
        System.out.println("isolated, unloaded");
    }

    private static WeakReference<ClassLoader> load(URL place) throws Exception { // calls(12)
        try (URLClassLoader loader = new URLClassLoader(new URL[] {place}, null)) {
            Runnable plugin = (Runnable) loader.loadClass("isolated.Plugin")
                    .getDeclaredConstructor().newInstance();
            plugin.run();
            Expect.that(plugin.getClass().getClassLoader() == loader, "wrong loader");
            return new WeakReference<>(loader);
        }
    }

    private Isolated() {}
}
