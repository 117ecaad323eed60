import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Prints what the JVM that runs this has as each file of java.base: CRC-32 and name. */
class Sums {
    public static void main(String[] arguments) throws Exception {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
        StringBuilder lines = new StringBuilder();
        try (Stream<Path> all = Files.walk(root)) {
            Iterator<Path> files = all.filter(Files::isRegularFile).iterator();
            while (files.hasNext()) {
                Path file = files.next();
                CRC32 sum = new CRC32();
                sum.update(Files.readAllBytes(file));
                lines.append(sum.getValue()).append(' ').append(root.relativize(file)).append('\n');
            }
        }
        System.out.print(lines);
    }
}
