package samples;

import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/** Prints what a program can see of its own classes; nothing of it may change. */
public final class Reflective {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        String value() default "m";

        int[] numbers() default {1, 2};
    }

    @Mark("class")
    static class Seen<T extends Comparable<T>> implements Serializable, Callable<T> {
        private transient T value;
        protected volatile int count;
        static final long CONSTANT = 42L;

        @Mark(numbers = {})
        Seen(T value, Map<String, ? super List<T>> rest) throws IllegalStateException {
            this.value = value;
        }

        @Override
        public T call() throws java.io.IOException { // calls(2)
            return value;
        }

        @Deprecated
        static synchronized strictfp double shout(@Mark String word, int... more) { // calls(2)
            return word.length() + more.length;
        }
    }

    public static void main(String[] args) throws Throwable { // calls(1)
        for (Class<?> type : List.of(Seen.class, Reflective.class, Mark.class)) {
            describe(type);
        }
        Method shout = Seen.class.getDeclaredMethod("shout", String.class, int[].class);
        System.out.println(shout.invoke(null, "abc", new int[2]));
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        System.out.println((double) lookup.findStatic(Seen.class, "shout",
                MethodType.methodType(double.class, String.class, int[].class))
                .invokeExact("a", new int[] {1}));
        Constructor<?> maker = Seen.class.getDeclaredConstructors()[0];
        Seen<?> seen = (Seen<?>) maker.newInstance("v", null);
        System.out.println(seen.call() + " " + Seen.class.getMethod("call").invoke(seen));
        Callable<?> proxy = (Callable<?>) Proxy.newProxyInstance(
                Reflective.class.getClassLoader(),
                new Class<?>[] {Callable.class},
                (self, method, arguments) -> method.getName());
        System.out.println(proxy.call());
        System.out.println(Reflective.class.desiredAssertionStatus() + " "
                + Reflective.class.getResource("no-such-thing"));
    }

    private static void describe(Class<?> type) { // calls(3) desc((Ljava/lang/Class;)V)
        System.out.println(type.toGenericString() + " " + type.getModifiers() + " "
                + Arrays.toString(type.getAnnotations()));
        TreeSet<String> lines = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            lines.add(field.toGenericString());
        }
        for (Method method : type.getDeclaredMethods()) {
            // The numbers in the names of lambda bodies are the compiler's.
            lines.add(describe(method).replaceAll("lambda\\$(\\w+)\\$\\d+", "lambda $1") + " "
                    + method.isBridge());
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            lines.add(describe(constructor));
        }
        lines.forEach(System.out::println);
        if (Serializable.class.isAssignableFrom(type)) {
            System.out.println("serialVersionUID "
                    + ObjectStreamClass.lookup(type).getSerialVersionUID());
        }
    }

    private static String describe(Executable executable) {
        return executable.toGenericString() + Arrays.toString(executable.getParameters())
                + Arrays.toString(executable.getAnnotations())
                + Arrays.deepToString(executable.getParameterAnnotations())
                + executable.getModifiers();
    }

    private Reflective() {}
}
