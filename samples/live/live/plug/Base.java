package live.plug;

/** What {@link Page} inherits and never calls inside a root. */
public class Base {
    /**
     * The compiler adds {@code Throwable.addSuppressed}, a method of a class that only the verifier
     * resolves.
     */
    public static int length(String text) throws Exception {
        try (Closed closed = new Closed(text)) {
            return closed.text.length();
        }
    }

    private static final class Closed implements AutoCloseable {
        private final String text;

        Closed(String text) {
            this.text = text;
        }

        @Override
        public void close() throws Exception {
            if (text.isEmpty()) {
                throw new Exception("empty");
            }
        }
    }
}
