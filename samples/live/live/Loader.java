package live;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Defines the classes below a prefix itself, from the class files that its parent has; one class at
 * a time.
 */
class Loader extends ClassLoader {
    private static final ConcurrentHashMap<String, byte[]> FILES = new ConcurrentHashMap<>();
    private final String prefix;

    Loader(String prefix) {
        super(Loader.class.getClassLoader());
        this.prefix = prefix;
    }

    @Override
    protected synchronized Class<?> loadClass(String name, boolean resolve)
            throws ClassNotFoundException {
        if (!name.startsWith(prefix)) {
            return super.loadClass(name, resolve);
        }
        Class<?> found = findLoadedClass(name);
        if (found != null) {
            return found;
        }
        byte[] bytes = FILES.computeIfAbsent(name, Loader::file);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private static byte[] file(String name) {
        try (InputStream file =
                Loader.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
