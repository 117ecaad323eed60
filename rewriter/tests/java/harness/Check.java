import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code Check DIR…}: links every class below each directory, each directory in a loader of its
 * own, and calls {@code static String run()} where a class has one. Prints one line per class:
 * {@code DIR<TAB>class<TAB>link outcome<TAB>run outcome<TAB>log of the probes}.
 */
public final class Check {
    /** Whether classes run, and are not only linked. */
    private static final boolean RUN =
            Boolean.parseBoolean(System.getProperty("jfathom.test.run", "true"));

    static final class DirLoader extends ClassLoader {
        final Path dir;

        DirLoader(Path dir) {
            super(Check.class.getClassLoader());
            this.dir = dir;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Path file = dir.resolve(name.replace('.', '/') + ".class");
            if (!Files.exists(file)) throw new ClassNotFoundException(name);
            try {
                byte[] bytes = Files.readAllBytes(file);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(new PrintStream(new ByteArrayOutputStream()));
        for (String arg : args) {
            Path dir = Path.of(arg);
            DirLoader loader = new DirLoader(dir);
            List<String> names;
            try (Stream<Path> files = Files.walk(dir)) {
                names = files.map(f -> dir.relativize(f).toString())
                    .filter(f -> f.endsWith(".class"))
                    .map(f -> f.substring(0, f.length() - 6).replace('/', '.'))
                    .sorted()
                    .collect(Collectors.toList());
            }
            for (String name : names) {
                String link = link(name, loader);
                jfathom.runtime.Probe.takeLog();
                String run = RUN && link.equals("ok") ? run(name, loader) : "";
                out.println(String.join("\t", arg, name, link, run,
                        jfathom.runtime.Probe.takeLog()));
            }
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    static String line(Throwable t) {
        return (t.getClass().getName() + " " + t.getMessage()).replaceAll("\\s+", " ");
    }

    static String link(String name, ClassLoader loader) {
        try {
            Class<?> c = Class.forName(name, false, loader);
            c.getDeclaredFields();
            c.getDeclaredMethods();
            return "ok";
        } catch (Throwable t) {
            return line(t);
        }
    }

    static String run(String name, ClassLoader loader) {
        Method run;
        try {
            run = Class.forName(name, false, loader).getDeclaredMethod("run");
        } catch (ReflectiveOperationException e) {
            return "";
        }
        if (run.getReturnType() != String.class) return "";
        try {
            run.setAccessible(true);
            return String.valueOf(run.invoke(null)).replaceAll("\\s+", " ");
        } catch (InvocationTargetException e) {
            return "threw " + line(e.getCause());
        } catch (Throwable t) {
            return "failed " + line(t);
        }
    }
}
