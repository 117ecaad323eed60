package reach;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.BufferedReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Methods of ours that the JDK's code calls. */
public final class Callbacks {
    static final class Version implements Comparable<Version> {
        final int number;

        Version(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Version other) {
            return Integer.compare(number, other.number);
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Version version && version.number == number;
        }

        @Override
        public String toString() {
            return "v" + number;
        }
    }

    static final class Cache extends LinkedHashMap<Integer, String> {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
            return size() > 1;
        }
    }

    static final class Few extends AbstractMap<String, Integer> {
        @Override
        public Set<Entry<String, Integer>> entrySet() {
            return Set.of(Map.entry("few", 1));
        }
    }

    static final class Sink extends OutputStream {
        private int count;

        @Override
        public void write(int b) {
            count++;
        }

        @Override
        public void close() {
            System.out.println("closed after " + (count > 0));
        }
    }

    static final class Source extends FilterInputStream {
        Source(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return super.read(bytes, from, length);
        }
    }

    static final class Resource implements AutoCloseable {
        @Override
        public void close() throws Failure {
            throw new Failure("closing");
        }
    }

    static final class Failure extends Exception {
        Failure(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            return "failed " + super.getMessage();
        }

        @Override
        public String getLocalizedMessage() {
            return "local " + getMessage();
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    static final class Kept extends Handler {
        private final List<String> lines = new ArrayList<>();

        Kept() {
            setFormatter(new Plain());
        }

        @Override
        public void publish(LogRecord record) {
            lines.add(getFormatter().format(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    static final class Plain extends Formatter {
        @Override
        public String format(LogRecord record) {
            return record.getMessage();
        }
    }

    public static void main(String[] args) throws Exception {
        TreeMap<Version, String> sorted = new TreeMap<>(Map.of(new Version(2), "b"));
        sorted.put(new Version(1), "a");
        HashMap<Version, String> hashed = new HashMap<>(sorted);
        hashed.computeIfAbsent(new Version(1), Callbacks::absent);
        hashed.computeIfAbsent(new Version(3), Callbacks::absent);
        hashed.merge(new Version(3), "c", Callbacks::merged);
        System.out.println(sorted + " " + hashed.size());
        Cache cache = new Cache();
        cache.put(1, "a");
        cache.put(2, "b");
        System.out.println(cache + " " + new Few());
        try (PrintStream out = new PrintStream(new Sink())) {
            out.println("text");
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new Source(new ByteArrayInputStream(new byte[] {65, 10}))))) {
            System.out.println(lines.readLine());
        }
        try (Resource resource = new Resource()) {
            throw new Failure("inside");
        } catch (Failure e) {
            e.printStackTrace(new PrintStream(new Sink()));
            System.out.println(e.getSuppressed().length);
        }
        Logger logger = Logger.getAnonymousLogger();
        logger.setUseParentHandlers(false);
        Kept kept = new Kept();
        logger.addHandler(kept);
        logger.info((Supplier<String>) Callbacks::message);
        System.out.println(kept.lines);
    }

    private static String absent(Version version) {
        return "absent " + version;
    }

    private static String merged(String a, String b) {
        return a + b;
    }

    private static String message() {
        return "message";
    }
}
