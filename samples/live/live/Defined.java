package live;

import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;

/**
 * Methods that are only found while the program runs: through reflection, handles, proxies,
 * services, and classes made at run time.
 */
public final class Defined {
    private final int value;

    Defined(int value) { // calls(8)
        this.value = value;
    }

    public static void main(String[] args) throws Throwable { // calls(1)
        System.out.println(reflected() + " " + handles() + " " + proxies() + " " + services() + " "
                + loaded() + " " + defined());
    }

    static int reflected() throws Exception { // calls(1)
        Method hidden = Defined.class.getDeclaredMethod(name("hid", "den"), int.class);
        int sum = 0;
        for (int i = 0; i < 40; i++) {
            sum += (int) hidden.invoke(null, i);
        }
        Constructor<Defined> maker = Defined.class.getDeclaredConstructor(int.class);
        for (int i = 0; i < 5; i++) {
            sum += (int) Defined.class.getDeclaredMethod(name("own", "Value"))
                    .invoke(maker.newInstance(i));
        }
        return sum;
    }

    /** What a constant analysis cannot know. */
    static String name(String first, String second) { // calls(11)
        return first + second;
    }

    static int hidden(int n) { // calls(40)
        return n & 3;
    }

    int ownValue() { // calls(5)
        return value;
    }

    static int handles() throws Throwable { // calls(1)
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType unary = MethodType.methodType(int.class, int.class);
        MethodHandle byStatic = lookup.findStatic(Defined.class, name("by", "Static"), unary);
        MethodHandle maker =
                lookup.findConstructor(Defined.class, MethodType.methodType(void.class, int.class));
        MethodHandle byVirtual = lookup.findVirtual(Defined.class, name("by", "Virtual"), unary);
        MethodHandle reflected = lookup.unreflect(
                Defined.class.getDeclaredMethod(name("by", "Unreflect"), int.class));
        int sum = 0;
        Defined target = (Defined) maker.invokeExact(7);
        MethodHandle bound =
                lookup.bind(target, name("by", "Bind"), MethodType.methodType(int.class));
        for (int i = 0; i < 30; i++) {
            sum += (int) byStatic.invokeExact(i);
            sum += (int) byVirtual.invokeExact(target, i);
            sum += (int) reflected.invoke(i);
            sum += (int) bound.invokeExact();
        }
        MethodHandle chosen = MethodHandles.filterReturnValue(
                byStatic, lookup.findStatic(Defined.class, name("filter", ""), unary));
        return sum + (int) chosen.invokeWithArguments(1);
    }

    static int byStatic(int n) { // calls(31)
        return n + 1;
    }

    int byVirtual(int n) { // calls(30)
        return value + n;
    }

    static int byUnreflect(int n) { // calls(30)
        return n - 1;
    }

    int byBind() { // calls(30)
        return value;
    }

    static int filter(int n) { // calls(1)
        return -n;
    }

    static int proxies() throws Exception { // calls(1)
        Defined target = new Defined(3);
        Callable<?> proxy = (Callable<?>) Proxy.newProxyInstance(
                Defined.class.getClassLoader(),
                new Class<?>[] {Callable.class},
                (self, method, arguments) -> target.handle(method)); // calls(4) as(lambda$proxies$*)
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += (int) proxy.call();
        }
        return sum;
    }

    int handle(Method method) { // calls(4)
        return method.getName().length() + value;
    }

    static int services() { // calls(1)
        int sum = 0;
        for (IntSupplier service : ServiceLoader.load(IntSupplier.class)) {
            sum += service.getAsInt();
        }
        return sum;
    }

    /** A provider, named in META-INF/services. */
    public static final class Provider implements IntSupplier {
        public Provider() {} // calls(1)

        @Override
        public int getAsInt() { // calls(1)
            return 11;
        }
    }

    static int loaded() throws Exception { // calls(1)
        URL here = Defined.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {here}, null)) {
            IntUnaryOperator own =
                    (IntUnaryOperator) Class.forName("live.made.Loaded", true, loader)
                            .getDeclaredConstructor().newInstance();
            return own.applyAsInt(4) + own.applyAsInt(5);
        }
    }

    static int defined() throws Exception { // calls(1)
        byte[] bytes;
        try (InputStream file = Defined.class.getResourceAsStream("/data/Pattern.class")) {
            bytes = file.readAllBytes();
        }
        Class<?> type = MethodHandles.lookup().defineClass(bytes);
        IntUnaryOperator pattern = (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
        return pattern.applyAsInt(6) + pattern.applyAsInt(7) + new Defined(1).value;
    }
}
