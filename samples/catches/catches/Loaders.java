package catches;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;

/** Exceptions of classes that loaders of their own define. */
final class Loaders {
    private static final String TWIN = "catches.Twin0000";
    private static WeakReference<Class<?>> twin;

    private Loaders() {}

    /** Defines one class, under a name of the same length. */
    private static final class Own extends ClassLoader {
        Own() {
            super(Loaders.class.getClassLoader());
        }

        Class<?> define(byte[] bytes, String name) {
            byte[] renamed = bytes.clone();
            byte[] from = TWIN.replace('.', '/').getBytes(StandardCharsets.US_ASCII);
            byte[] to = name.replace('.', '/').getBytes(StandardCharsets.US_ASCII);
            for (int at = 0; at + from.length <= renamed.length; at++) {
                if (matches(renamed, at, from)) System.arraycopy(to, 0, renamed, at, to.length);
            }
            return defineClass(name, renamed, 0, renamed.length);
        }

        private static boolean matches(byte[] bytes, int at, byte[] text) {
            for (int i = 0; i < text.length; i++) {
                if (bytes[at + i] != text[i]) return false;
            }
            return true;
        }
    }

    private static byte[] twinBytes() throws IOException {
        try (InputStream in = Loaders.class.getResourceAsStream("Twin0000.class")) {
            return in.readAllBytes();
        }
    }

    private static RuntimeException made(Class<?> type) throws ReflectiveOperationException {
        return (RuntimeException) type.getDeclaredConstructor().newInstance();
    }

    /** Two classes of one name are one class to a reader of names. */
    static void twins() throws Exception {
        byte[] bytes = twinBytes();
        for (int at = 0; at < 2; at++) {
            Class<?> type = new Own().define(bytes, TWIN);
            for (int times = 0; times < 6; times++) catchTwin(made(type));
            twin = new WeakReference<>(type);
        }
        System.out.println("catchTwin " + TWIN + " 12");
    }

    static void catchTwin(RuntimeException exception) {
        try {
            Work.thrower(exception);
        } catch (RuntimeException e) {
            e.getMessage();
        }
    }

    /** Exceptions of so many classes, one of each: more than get a number. */
    static void numbered(int classes) throws Exception {
        byte[] bytes = twinBytes();
        for (int at = 0; at < classes; at++) {
            String name = String.format("catches.Many%04d", at);
            catchNumbered(made(new Own().define(bytes, name)));
        }
    }

    static void catchNumbered(RuntimeException exception) {
        try {
            Work.thrower(exception);
        } catch (RuntimeException e) {
            e.getMessage();
        }
    }

    /** Whether nothing holds the class that was caught. */
    static boolean isUnloaded() throws InterruptedException {
        for (int at = 0; at < 50 && twin.get() != null; at++) {
            System.gc();
            Thread.sleep(20);
        }
        return twin.get() == null;
    }
}
