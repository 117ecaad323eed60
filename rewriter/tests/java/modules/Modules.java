import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code Modules dump DIR}: java.base's classes as files. {@code Modules link}: one line for each
 * that does not link.
 */
public final class Modules {
    public static void main(String[] args) throws IOException {
        try (ModuleReader reader =
                ModuleLayer.boot().configuration().findModule("java.base").get().reference().open()) {
            List<String> names = reader.list()
                .filter(n -> n.endsWith(".class") && !n.equals("module-info.class")
                        && !n.startsWith("jfathom/"))
                .sorted()
                .collect(Collectors.toList());
            if (args[0].equals("dump")) {
                for (String name : names) {
                    Path file = Path.of(args[1], name);
                    Files.createDirectories(file.getParent());
                    try (InputStream in = reader.open(name).get()) {
                        Files.write(file, in.readAllBytes());
                    }
                }
                return;
            }
            int linked = 0;
            StringBuilder failures = new StringBuilder();
            for (String name : names) {
                String className = name.substring(0, name.length() - 6).replace('/', '.');
                try {
                    Class.forName(className, false, null).getDeclaredFields();
                    linked++;
                } catch (Throwable t) {
                    failures.append(className + " " + t + "\n");
                }
            }
            System.out.println("linked " + linked + "\n" + failures);
        }
    }
}
