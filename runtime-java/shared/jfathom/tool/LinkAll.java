package jfathom.tool;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.module.ModuleReader;
import java.lang.module.ResolvedModule;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Links every class of jars, directories and modules, without initialising any, and prints the
 * outcome of each: its name, a tab, and {@code ok} or what was thrown; ascending by name within
 * each input. Run it with {@code -Xverify:all}.
 *
 * <pre>LinkAll [--module NAME]… [--extra PATH]… [JAR|DIRECTORY]…</pre>
 *
 * All jars and directories, and the extra ones, are one class path below the platform loader. Only
 * classes of the former are linked. Modules must be in the boot layer ({@code java --module-path …
 * --add-modules NAME}).
 */
public final class LinkAll {
    private static final String CLASS = ".class";

    private LinkAll() {}

    public static void main(String[] arguments) throws IOException {
        List<String> modules = new ArrayList<>();
        List<String> inputs = new ArrayList<>();
        List<String> path = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            boolean value = i + 1 < arguments.length;
            if (arguments[i].equals("--module") && value) {
                modules.add(arguments[++i]);
            } else if (arguments[i].equals("--extra") && value) {
                path.add(arguments[++i]);
            } else {
                inputs.add(arguments[i]);
                path.add(arguments[i]);
            }
        }
        // Programs that are linked may print nothing, but the JVM may.
        OutputStream stdout = new BufferedOutputStream(System.out);
        try (PrintStream out = new PrintStream(stdout, false, "UTF-8")) {
            for (String module : modules) module(module, out);
            ClassLoader loader = loader(path);
            for (String input : inputs) {
                for (String name : names(Paths.get(input))) print(out, name, link(name, loader));
            }
        }
    }

    private static ClassLoader loader(List<String> path) throws IOException {
        URL[] urls = new URL[path.size()];
        for (int i = 0; i < urls.length; i++) urls[i] = new File(path.get(i)).toURI().toURL();
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static void module(String name, PrintStream out) throws IOException {
        Module module = ModuleLayer.boot().findModule(name).orElse(null);
        ResolvedModule resolved = ModuleLayer.boot().configuration().findModule(name).orElse(null);
        if (module == null || resolved == null) {
            System.err.println(
                    "LinkAll: no module " + name + " in the boot layer; use --add-modules " + name);
            System.exit(2);
        }
        try (ModuleReader reader = resolved.reference().open();
                Stream<String> resources = reader.list()) {
            for (String each : classes(resources.collect(Collectors.toList()))) {
                String outcome;
                try {
                    Class<?> type = Class.forName(module, each);
                    outcome = type == null ? "not found" : linked(type);
                } catch (Throwable e) {
                    outcome = text(e);
                }
                print(out, each, outcome);
            }
        }
    }

    /**
     * The classes of a jar or directory. Versions of a multi-release jar are linked under the names
     * that they share.
     */
    private static Iterable<String> names(Path input) throws IOException {
        List<String> files = new ArrayList<>();
        if (Files.isDirectory(input)) {
            try (Stream<Path> all = Files.walk(input, FileVisitOption.FOLLOW_LINKS)) {
                all.filter(Files::isRegularFile)
                        .map(file -> input.relativize(file).toString())
                        .forEach(name -> files.add(name.replace(File.separatorChar, '/')));
            }
        } else {
            try (JarFile jar = new JarFile(input.toFile())) {
                Enumeration<JarEntry> entries = jar.entries();
                while (entries.hasMoreElements()) files.add(entries.nextElement().getName());
            }
        }
        return classes(files);
    }

    private static Iterable<String> classes(List<String> files) {
        TreeSet<String> names = new TreeSet<>();
        for (String file : files) {
            boolean named = !file.startsWith("META-INF/") && !file.endsWith("module-info.class");
            if (file.endsWith(CLASS) && named) {
                names.add(file.substring(0, file.length() - CLASS.length()).replace('/', '.'));
            }
        }
        return Collections.unmodifiableSet(names);
    }

    private static String link(String name, ClassLoader loader) {
        try {
            return linked(Class.forName(name, false, loader));
        } catch (Throwable e) {
            return text(e);
        }
    }

    /** Links a class: asking for the fields does, finding the class does not. */
    private static String linked(Class<?> type) {
        type.getDeclaredFields();
        return "ok";
    }

    /** The first line of what was thrown. A VerifyError goes on with the code. */
    private static String text(Throwable e) {
        String text = e.toString();
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end).trim();
    }

    private static void print(PrintStream out, String name, String outcome) {
        out.print(name + '\t' + outcome.replace('\t', ' ') + '\n');
    }
}
