package reach;

import java.util.ServiceLoader;

/** Services: META-INF/services names the providers. */
public final class Services {
    public interface Codec {
        String encode(String text);

        default String twice(String text) {
            return encode(encode(text));
        }
    }

    public static class Upper implements Codec {
        static final String NAME = name();

        private static String name() {
            return "upper";
        }

        @Override
        public String encode(String text) {
            return text.toUpperCase();
        }
    }

    public static class Reversed implements Codec {
        private final StringBuilder work;

        public Reversed() {
            work = fresh();
        }

        private static StringBuilder fresh() {
            return new StringBuilder();
        }

        @Override
        public String encode(String text) {
            work.setLength(0);
            return work.append(text).reverse().toString();
        }

        @Override
        public String twice(String text) {
            return text;
        }
    }

    public static void main(String[] args) {
        for (Codec codec : ServiceLoader.load(Codec.class)) {
            System.out.println(codec.twice("word"));
        }
        System.out.println(ServiceLoader.load(Codec.class).stream().map(ServiceLoader.Provider::get)
                .map(Services::one).toList());
    }

    private static String one(Codec codec) {
        return codec.encode("one");
    }
}
