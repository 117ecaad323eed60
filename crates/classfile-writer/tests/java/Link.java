import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.stream.Stream;

/**
 * Dumps, links and runs classes. Streams of classes hold a name (modified UTF-8), a length and the
 * bytes, repeated.
 */
public class Link {
    public static void main(String[] args) throws Throwable {
        switch (args[0]) {
            case "dump" -> dump(args[1], args[2].split(","));
            case "link" -> link(args);
            case "run" -> run(args);
        }
    }

    static void dump(String file, String[] modules) throws IOException {
        FileSystem jrt = FileSystems.getFileSystem(URI.create("jrt:/"));
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(file)))) {
            for (String module : modules) {
                Path root = jrt.getPath("/modules/" + module);
                try (Stream<Path> paths = Files.walk(root)) {
                    for (Path path : (Iterable<Path>) paths.filter(p -> p.toString().endsWith(".class"))::iterator) {
                        String name = root.relativize(path).toString();
                        byte[] bytes = Files.readAllBytes(path);
                        out.writeUTF(name.substring(0, name.length() - 6));
                        out.writeInt(bytes.length);
                        out.write(bytes);
                    }
                }
            }
        }
    }

    /**
     * Links the same classes from each file, and prints those whose outcome is another than in the
     * first.
     */
    static void link(String[] args) throws IOException {
        Classes plain = new Classes(args[1]);
        Map<String, String> expected = plain.outcomes();
        long linked = expected.values().stream().filter("ok"::equals).count();
        System.out.println("LINKED " + linked + " of " + expected.size());
        for (int i = 2; i < args.length; i++) {
            Map<String, String> actual = new Classes(args[i]).outcomes();
            for (String name : expected.keySet()) {
                String e = expected.get(name), a = actual.get(name);
                if (!e.equals(a)) {
                    System.out.println("DIFFERENT " + args[i] + " " + name + ": " + e + " became "
                            + a);
                }
            }
        }
    }

    /** Calls {@code static String run()} of each class (names with commas) from each file. */
    static void run(String[] args) throws Throwable {
        for (int i = 2; i < args.length; i++) {
            Classes classes = new Classes(args[i]);
            for (String name : args[1].split(",")) {
                java.lang.reflect.Method run =
                        Class.forName(name, true, classes).getDeclaredMethod("run");
                run.setAccessible(true);
                System.out.println("RESULT " + run.invoke(null));
            }
        }
    }

    static class Classes extends ClassLoader {
        final Map<String, byte[]> bytes = new LinkedHashMap<>();

        Classes(String file) throws IOException {
            super(ClassLoader.getPlatformClassLoader());
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(new FileInputStream(file)))) {
                while (true) {
                    String name;
                    try {
                        name = in.readUTF();
                    } catch (EOFException end) {
                        break;
                    }
                    bytes.put(name.replace('/', '.'), in.readNBytes(in.readInt()));
                }
            }
        }

        @Override protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                if (found != null) return found;
                byte[] b = bytes.get(name);
                if (b == null) return super.loadClass(name, resolve);
                return defineClass(name, b, 0, b.length);
            }
        }

        Map<String, String> outcomes() {
            Map<String, String> outcomes = new LinkedHashMap<>();
            for (String name : bytes.keySet()) {
                String outcome;
                try {
                    // Without initialisation; asking for the fields forces linking, and so
                    // verification.
                    Class.forName(name, false, this).getDeclaredFields();
                    outcome = "ok";
                } catch (Throwable e) {
                    outcome = e.getClass().getName();
                    if (System.getProperty("why") != null) outcome += e.getMessage();
                }
                outcomes.put(name, outcome);
            }
            return outcomes;
        }
    }
}
