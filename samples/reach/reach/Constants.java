package reach;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.Callable;

/** Reflection whose names are constants. */
public final class Constants {
    static final Map<String, String> DRIVERS = Map.of("one", "reach.Constants$Mapped");

    public static class Named implements Runnable {
        static int made;

        static {
            made = 1;
        }

        public Named() {
            made++;
        }

        @Override
        public void run() {
            System.out.println("named " + made);
        }
    }

    public static class Loaded implements Callable<String> {
        @Override
        public String call() {
            return "loaded";
        }
    }

    public static class Mapped implements Callable<String> {
        @Override
        public String call() {
            return "mapped";
        }
    }

    static class Sized {
        final int size;

        private Sized(int size) {
            this.size = size;
        }

        int grown(int by) {
            return size + by;
        }

        private static String secret() {
            return "secret";
        }

        static void fail() {
            throw new IllegalStateException(reason());
        }

        private static String reason() {
            return "on purpose";
        }
    }

    enum Level {
        LOW,
        HIGH {
            @Override
            String text() {
                return "high";
            }
        };

        String text() {
            return "level";
        }
    }

    public static void main(String[] args) throws Exception {
        ((Runnable) Class.forName("reach.Constants$Named").getDeclaredConstructor().newInstance())
                .run();
        ClassLoader loader = Constants.class.getClassLoader();
        Object loaded = loader.loadClass("reach.Constants$Loaded").getConstructor().newInstance();
        System.out.println(((Callable<?>) loaded).call());
        System.out.println(((Callable<?>) make(DRIVERS.get("one"))).call());
        Constructor<Sized> maker = Sized.class.getDeclaredConstructor(int.class);
        Method grown = Sized.class.getDeclaredMethod("grown", int.class);
        System.out.println(grown.invoke(maker.newInstance(4), 3));
        Method secret = Sized.class.getDeclaredMethod("secret");
        secret.setAccessible(true);
        System.out.println(secret.invoke(null));
        try {
            Sized.class.getDeclaredMethod("fail").invoke(null);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getMessage());
        }
        System.out.println(Enum.valueOf(Level.class, "HIGH").text()
                + Level.class.getEnumConstants().length);
    }

    private static Object make(String name) throws Exception {
        return Class.forName(name).getConstructor().newInstance();
    }
}
