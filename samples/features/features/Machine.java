package features;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Collections;
import java.util.Formattable;
import java.util.Formatter;
import java.util.Iterator;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.ResourceBundle;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the JVM, the compiler or the JDK call for the program. */
public final class Machine {
    private Machine() {}

    /** JVMS 5.3.2: the JVM asks the defining loader for what a class names */
    public static final class Loading {
        public static void main(String[] args) throws Exception {
            ClassLoader loader = new Own(Machine.class.getClassLoader());
            ((Task) loader.loadClass("features.Machine$Loading$First").getDeclaredConstructor()
                    .newInstance()).run();
        }

        static final class Own extends ClassLoader {
            Own(ClassLoader parent) {
                super(parent);
            }

            @Override
            protected Class<?> loadClass(String name, boolean resolve)
                    throws ClassNotFoundException {
                if (!name.startsWith("features.Machine$Loading$")) {
                    return super.loadClass(name, resolve);
                }
                Class<?> found = findLoadedClass(name);
                return found != null ? found : findClass(name);
            }

            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                Truth.called();
                try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }

        public static final class First implements Task {
            @Override
            public void run() {
                Truth.called();
                new Second().work();
            }
        }

        static final class Second {
            void work() {
                Truth.called();
            }
        }
    }

    /** JVMS 5.5 */
    public static final class Initialised {
        public static void main(String[] args) {
            new Below();
        }

        static class Above {
            static {
                Truth.called();
            }
        }

        interface WithDefault {
            Object MADE = make();

            static Object make() {
                Truth.called();
                return "made";
            }

            default void unused() {}
        }

        static final class Below extends Above implements WithDefault {
            static {
                Truth.called();
            }
        }
    }

    public static final class Printed {
        public static void main(String[] args) {
            Throwable thrown = new Own();
            thrown.printStackTrace();
        }

        static final class Own extends RuntimeException {
            private static final long serialVersionUID = 1;

            @Override
            public String getLocalizedMessage() {
                Truth.called();
                return "own";
            }
        }
    }

    /** JLS 11.3: the JVM prints what nobody catches */
    public static final class Dies {
        public static void main(String[] args) throws Exception {
            Thread thread = new Thread(() -> {
                throw new Own();
            });
            thread.start();
            thread.join();
        }

        static final class Own extends RuntimeException {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                Truth.called();
                return "own";
            }
        }
    }

    public static final class Concatenated {
        public static void main(String[] args) {
            System.out.println("a " + new Desk() + 1);
        }

        static final class Desk {
            @Override
            public String toString() {
                Truth.called();
                return "desk";
            }
        }
    }

    public static final class RecordMethods {
        public static void main(String[] args) {
            Pair pair = new Pair(new Part());
            pair.equals(new Pair(new Part()));
            pair.hashCode();
            pair.toString();
        }

        record Pair(Part part) {}

        static final class Part {
            @Override
            public boolean equals(Object other) {
                Truth.called();
                return true;
            }

            @Override
            public int hashCode() {
                Truth.called();
                return 1;
            }

            @Override
            public String toString() {
                Truth.called();
                return "part";
            }
        }
    }

    public static final class Closed {
        public static void main(String[] args) throws Exception {
            try (AutoCloseable resource = new Own()) {
                resource.hashCode();
            }
        }

        static final class Own implements AutoCloseable {
            @Override
            public void close() {
                Truth.called();
            }
        }
    }

    public static final class Looped {
        public static void main(String[] args) {
            for (Object unused : new Own()) {
                return;
            }
        }

        static final class Own implements Iterable<Object> {
            @Override
            public Iterator<Object> iterator() {
                Truth.called();
                return Collections.emptyIterator();
            }
        }
    }

    public static final class Sorted {
        public static void main(String[] args) {
            new TreeSet<>(List.of(new Own(1), new Own(2)));
        }

        record Own(int value) implements Comparable<Own> {
            @Override
            public int compareTo(Own other) {
                Truth.called();
                return Integer.compare(value, other.value);
            }
        }
    }

    public static final class OfClass {
        public static void main(String[] args) {
            new Own().get(String.class);
        }

        static final class Own extends ClassValue<String> {
            @Override
            protected String computeValue(Class<?> type) {
                Truth.called();
                return type.getName();
            }
        }
    }

    public static final class Formatted {
        public static void main(String[] args) {
            String.format("%s", new Own());
        }

        static final class Own implements Formattable {
            @Override
            public void formatTo(Formatter formatter, int flags, int width, int precision) {
                Truth.called();
            }
        }
    }

    public static final class Bundle {
        public static void main(String[] args) {
            ResourceBundle.getBundle("features.Machine$Bundle$Texts").getString("a");
        }

        public static final class Texts extends ListResourceBundle {
            @Override
            protected Object[][] getContents() {
                Truth.called();
                return new Object[][] {{"a", "b"}};
            }
        }
    }

    public static final class Handled {
        public static void main(String[] args) throws Exception {
            new URL(null, "own:x", new Own()).openConnection();
        }

        static final class Own extends URLStreamHandler {
            @Override
            protected URLConnection openConnection(URL url) {
                Truth.called();
                return null;
            }
        }
    }

    public static final class Service {
        public static void main(String[] args) {
            for (Task task : ServiceLoader.load(Task.class)) task.run();
        }

        public static final class Provider implements Task {
            public Provider() {
                Truth.called();
            }

            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Logged {
        public static void main(String[] args) {
            Logger logger = Logger.getLogger("features");
            logger.setUseParentHandlers(false);
            logger.addHandler(new Own());
            logger.info("x");
        }

        static final class Own extends Handler {
            @Override
            public void publish(LogRecord record) {
                Truth.called();
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        }
    }

    /** JLS 15.28: a switch over an enum asks for values() by a class of its own */
    public static final class Switched {
        public static void main(String[] args) {
            switch (Kind.valueOf(Names.word('A'))) {
                case A:
                    act();
                    break;
                default:
                    break;
            }
        }

        static void act() {
            Truth.called();
        }

        enum Kind {
            A;

            Kind() {
                Truth.called();
            }
        }
    }

    /** JVMS 5.4.5, 5.4.6 with a bridge, a default and a covariant result */
    public static final class Selected {
        public static void main(String[] args) {
            Maker<?> maker = new Own();
            maker.make();
            maker.twice();
        }

        interface Maker<T> {
            T make();

            default T twice() {
                Truth.called();
                return make();
            }
        }

        static final class Own implements Maker<String> {
            @Override
            public String make() {
                Truth.called();
                return "made";
            }
        }
    }
}
