import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import jfathom.runtime.Probe;

/** A second copy of the runtime in a loader of its own, and loaders that are unloaded. */
public class Copies {
    static void call() {
        int token = Probe.methodEntry(1);
        Probe.methodExit(token);
    }

    public static void main(String[] args) throws Exception {
        call();
        String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] urls = new URL[path.length];
        for (int i = 0; i < path.length; i++) urls[i] = new File(path[i]).toURI().toURL();
        for (int i = 0; i < 3; i++) {
            ClassLoader platform = ClassLoader.getPlatformClassLoader();
            try (URLClassLoader isolated = new URLClassLoader(urls, platform)) {
                Class<?> probe = isolated.loadClass("jfathom.runtime.Probe");
                if (probe == Probe.class) throw new AssertionError("not a copy");
                for (int j = 0; j < 10; j++) {
                    probe.getMethod("methodEntry", int.class).invoke(null, 2);
                    probe.getMethod("methodExit", int.class).invoke(null, 2);
                }
            }
            System.gc();
        }
        call();
        System.out.println("copies 3");
    }
}
