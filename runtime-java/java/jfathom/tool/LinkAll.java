package jfathom.tool;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Links every class of the jars and class directories that are its arguments, which must be on the class path, and of the
 * modules of the boot layer that are named as {@code jrt:NAME}. No class is initialised. Started with {@code -Xverify:all},
 * it so asks the JVM's verifier about each of them.
 *
 * <p>One line goes to stdout for each class, in order of name: the name, a tab, and {@code ok} or the error's class and the
 * first line of its message.
 */
public final class LinkAll {
    private LinkAll() {}

    public static void main(String[] arguments) throws IOException {
        PrintWriter out = new PrintWriter(
                new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)), false);
        for (String argument : arguments) {
            if (argument.startsWith("jrt:")) {
                String module = argument.substring(4);
                ClassLoader loader = ModuleLayer.boot().findModule(module)
                        .orElseThrow(() -> new IOException("no module " + module)).getClassLoader();
                Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module);
                linkAll(directory(root), loader, out);
            } else {
                File file = new File(argument);
                List<String> entries = file.isDirectory() ? directory(file.toPath()) : jar(file);
                linkAll(entries, LinkAll.class.getClassLoader(), out);
            }
        }
        out.flush();
    }

    /** The names of the files below a directory, with {@code /} between folders. */
    private static List<String> directory(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString().replace(File.separatorChar, '/'))
                    .collect(Collectors.toList());
        }
    }

    /** The names of a jar's entries as this JVM sees them, so without the prefix of a multi-release version. */
    private static List<String> jar(File file) throws IOException {
        try (JarFile jar = new JarFile(file, false, ZipFile.OPEN_READ, Runtime.version())) {
            return jar.versionedStream().map(entry -> entry.getName()).collect(Collectors.toList());
        }
    }

    private static void linkAll(List<String> entries, ClassLoader loader, PrintWriter out) {
        TreeSet<String> names = new TreeSet<>();
        for (String entry : entries) {
            // These folders are no packages, and the descriptor is no class.
            if (entry.endsWith(".class") && !entry.contains("-INF/") && !entry.endsWith("module-info.class")) {
                names.add(entry.substring(0, entry.length() - 6).replace('/', '.'));
            }
        }
        for (String name : names) {
            out.print(name + '\t' + outcome(name, loader) + '\n');
        }
    }

    private static String outcome(String name, ClassLoader loader) {
        try {
            // Loading alone does not link; asking for the fields does.
            Class.forName(name, false, loader).getDeclaredFields();
            return "ok";
        } catch (Throwable trouble) {
            String message = String.valueOf(trouble.getMessage());
            int end = message.indexOf('\n');
            return trouble.getClass().getName() + ": " + (end < 0 ? message : message.substring(0, end)).trim();
        }
    }
}
