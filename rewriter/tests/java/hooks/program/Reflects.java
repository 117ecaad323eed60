import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collection;

/**
 * {@code Reflects dump DIR CLASS…}: classes of java.base as files. {@code Reflects run}: reaches a
 * class in all ways, and prints what was told.
 */
public class Reflects {
    public Reflects() {}

    public Reflects(int number) {}

    public int plain(int x) {
        return x + 1;
    }

    public static String fixed() {
        return "fixed";
    }

    @Override
    public String toString() {
        return "special";
    }

    public static class Below extends Reflects {
        @Override
        public String toString() {
            return "below";
        }

        String above() throws Throwable {
            MethodType type = MethodType.methodType(String.class);
            return (String) MethodHandles.lookup().findSpecial(Reflects.class, "toString", type,
                    Below.class).invokeExact(this);
        }

        String unreflectedAbove() throws Throwable {
            return (String) MethodHandles.lookup()
                    .unreflectSpecial(Reflects.class.getMethod("toString"), Below.class)
                    .invokeExact(this);
        }
    }

    @SuppressWarnings("deprecation")
    public static void main(String[] args) throws Throwable {
        if (args[0].equals("dump")) {
            for (int i = 2; i < args.length; i++) {
                java.nio.file.Path file = java.nio.file.Path.of(args[1], args[i]);
                java.nio.file.Files.createDirectories(file.getParent());
                try (java.io.InputStream in = Object.class.getResourceAsStream("/" + args[i])) {
                    java.nio.file.Files.write(file, in.readAllBytes());
                }
            }
            return;
        }
        // The class is there only where the JVM is patched.
        Class<?> hooks = Class.forName("java.lang.JfathomHooks");
        java.lang.reflect.Field watched = hooks.getField("watched");
        java.lang.reflect.Method plain = Reflects.class.getMethod("plain", int.class);
        java.lang.reflect.Constructor<?> numbered = Reflects.class.getConstructor(int.class);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        watched.set(null, Reflects.class);
        Reflects receiver = new Reflects();
        for (int i = 0; i < 20; i++) check(plain.invoke(receiver, 1), 2);
        Reflects.class.getMethod("fixed").invoke(null);
        numbered.newInstance(3);
        Reflects.class.newInstance();
        MethodType number = MethodType.methodType(int.class, int.class);
        MethodHandle found = lookup.findVirtual(Reflects.class, "plain", number);
        check((int) found.invokeExact(receiver, 1), 2);
        check((int) lookup.bind(receiver, "plain", number).invokeExact(1), 2);
        MethodType text = MethodType.methodType(String.class);
        check((String) lookup.findStatic(Reflects.class, "fixed", text).invokeExact(), "fixed");
        lookup.findConstructor(Reflects.class, MethodType.methodType(void.class,
                int.class)).invoke(1);
        check((int) lookup.unreflect(plain).invokeExact(receiver, 1), 2);
        lookup.unreflectConstructor(numbered).invoke(1);
        check(new Below().above(), "special");
        check(new Below().unreflectedAbove(), "special");
        watched.set(null, null);
        String before = "";
        for (Object line : (Collection<?>) hooks.getField("TOLD").get(null)) {
            if (line.equals(before)) continue;
            before = (String) line;
            System.out.println(line);
        }
    }

    private static void check(Object is, Object should) {
        if (!is.equals(should)) throw new AssertionError(is + " for " + should);
    }
}
