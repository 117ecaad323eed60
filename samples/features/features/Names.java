package features;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Classes that are found by a name (JLS 12.2, Class.forName): constant, put together, read from a
 * resource, or decoded.
 */
public final class Names {
    private Names() {}

    static Task make(String name) throws Exception {
        return (Task) Class.forName(name).getDeclaredConstructor().newInstance();
    }

    /** A word that no constant pool shows. */
    static String word(char letter) {
        return String.valueOf(letter);
    }

    public static final class Constant {
        public static void main(String[] args) throws Exception {
            ((Task) Class.forName("features.Names$Constant$Target").getDeclaredConstructor()
                    .newInstance()).run();
        }

        public static final class Target implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Prefix {
        public static void main(String[] args) throws Exception {
            make("features.Names$Prefix$" + word('A')).run();
            make("features.Names$Prefix$" + word('B')).run();
        }

        public static final class A implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }

        public static final class B implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Suffix {
        public static void main(String[] args) throws Exception {
            make(Shape.class.getName() + "Impl").run();
        }

        public interface Shape extends Task {}

        public static final class ShapeImpl implements Shape {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Builder {
        public static void main(String[] args) throws Exception {
            StringBuilder name = new StringBuilder();
            name.append("features.Names$Builder$");
            name.append(word('M')).append("ade");
            make(name.toString()).run();
        }

        public static final class Made implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Buffer {
        public static void main(String[] args) throws Exception {
            make(new StringBuffer("features.Names$Buffer$").append(word('M')).append("ade")
                    .toString()).run();
        }

        public static final class Made implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Concat {
        public static void main(String[] args) throws Exception {
            make("features.Names$Concat$".concat(word('T'))).run();
        }

        public static final class T implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Middle {
        public static void main(String[] args) throws Exception {
            String which = word('X');
            make("features.Names$Middle$" + which + "Codec").run();
        }

        public static final class XCodec implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Init {
        public static void main(String[] args) throws Exception {
            load("features.Names$Init$Core");
        }

        static void load(String name) throws Exception {
            Class.forName(name + "__init", true, Names.class.getClassLoader());
        }

        public static final class Core__init {
            static {
                Truth.called();
            }
        }
    }

    public static final class Blind {
        public static void main(String[] args) throws Exception {
            load(new StringBuilder("eroC$dnilB$semaN.serutaef").reverse().toString());
        }

        static void load(String name) throws Exception {
            Class.forName(name + "__part", true, Names.class.getClassLoader());
        }

        public static final class Core__part {
            static {
                Truth.called();
            }
        }
    }

    public static final class Format {
        public static void main(String[] args) throws Exception {
            make(String.format("features.Names$Format$%s", word('F'))).run();
        }

        public static final class F implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Field {
        static final String PREFIX = Names.class.getName() + "$Field$";

        public static void main(String[] args) throws Exception {
            make(PREFIX + word('G')).run();
        }

        public static final class G implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Helper {
        public static void main(String[] args) throws Exception {
            plugin("Names$Helper$Plug").run();
        }

        static Task plugin(String simple) throws Exception {
            return make("features." + simple);
        }

        public static final class Plug implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Table {
        private static final String[] KINDS = {"Red", "Green"};

        public static void main(String[] args) throws Exception {
            for (String kind : KINDS) make("features.Names$Table$" + kind).run();
        }

        public static final class Red implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }

        public static final class Green implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class OfPackage {
        public static void main(String[] args) throws Exception {
            make(Names.class.getPackageName() + ".Names$OfPackage$" + word('P')).run();
        }

        public static final class P implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Resource {
        public static void main(String[] args) throws Exception {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                    Names.class.getResourceAsStream("tasks.list"), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    make(line.trim()).run();
                }
            }
        }

        public static final class Listed implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Property {
        public static void main(String[] args) throws Exception {
            Properties properties = new Properties();
            properties.load(Names.class.getResourceAsStream("/features/tasks.properties"));
            make(properties.getProperty("task")).run();
        }

        public static final class Configured implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Replace {
        public static void main(String[] args) throws Exception {
            make("features/Names$Replace$Target".replace('/', '.')).run();
        }

        public static final class Target implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Loader {
        public static void main(String[] args) throws Exception {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            Class<?> found = loader.loadClass("features.Names$Loader$" + word('L'));
            ((Task) found.getDeclaredConstructor().newInstance()).run();
        }

        public static final class L implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Join {
        public static void main(String[] args) throws Exception {
            make(String.join("$", "features.Names", "Join", word('J'))).run();
        }

        public static final class J implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Handed {
        public static void main(String[] args) throws Exception {
            make("features.Names$Handed$Target").run();
        }

        public static final class Target implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Nested {
        public static void main(String[] args) throws Exception {
            make(Nested.class.getName() + "$Inner").run();
        }

        public static final class Inner implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Chosen {
        public static void main(String[] args) throws Exception {
            String name = args.length > 3 ? "features.Names$Chosen$One"
                    : "features.Names$Chosen$Two";
            make(name).run();
        }

        public static final class One implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }

        public static final class Two implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Folder {
        public static void main(String[] args) throws Exception {
            Path classes = Path.of(Names.class.getProtectionDomain().getCodeSource().getLocation()
                    .toURI());
            List<String> names;
            try (Stream<Path> files = Files.list(classes.resolve("features"))) {
                names = files.map(file -> file.getFileName().toString())
                        .filter(file -> file.startsWith("Names$Folder$"))
                        .map(file -> file.substring(0, file.length() - ".class".length()))
                        .collect(Collectors.toList());
            }
            for (String name : names) make("features." + name).run();
        }

        public static final class Found implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Decoded {
        public static void main(String[] args) throws Exception {
            byte[] name = Base64.getDecoder().decode("ZmVhdHVyZXMuTmFtZXMkRGVjb2RlZCRIaWRkZW4=");
            make(new String(name, StandardCharsets.UTF_8)).run();
        }

        public static final class Hidden implements Task {
            @Override
            public void run() {
                Truth.called();
            }
        }
    }

    public static final class Constants {
        public static void main(String[] args) {
            Enum.valueOf(Kind.class, word('K')).run();
        }

        enum Kind implements Task {
            K {
                @Override
                public void run() {
                    Truth.called();
                }
            }
        }
    }
}
