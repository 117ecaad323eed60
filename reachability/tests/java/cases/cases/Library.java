package cases;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Ways through the JDK. */
public final class Library {
    private Library() {}

    static class Task extends Thread {
        @Override
        public void run() {
            Log.hit();
        }
    }

    public static void threadStart() throws Exception {
        Thread thread = new Task();
        thread.start();
        thread.join();
    }

    public static void threadOfARunnable() throws Exception {
        Thread thread = new Thread(() -> Log.hit());
        thread.start();
        thread.join();
    }

    static class Work implements Callable<String> {
        @Override
        public String call() {
            Log.hit();
            return "";
        }
    }

    public static void executor() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        executor.submit(new Work()).get();
        executor.shutdown();
    }

    static class Text {
        @Override
        public String toString() {
            Log.hit();
            return "";
        }
    }

    public static void concatenation() {
        Text text = new Text();
        String string = "a" + text + 1L + new int[0].length;
        string.length();
    }

    static class Part {
        @Override
        public int hashCode() {
            Log.hit();
            return 1;
        }
    }

    record Pair(Part part, int number) {}

    public static void hashCodeOfARecord() {
        new Pair(new Part(), 1).hashCode();
    }

    static class Key {
        @Override
        public int hashCode() {
            Log.hit();
            return 1;
        }
    }

    public static void keyOfAMap() {
        Map<Key, String> map = new HashMap<>();
        map.put(new Key(), "");
    }

    public static void comparator() {
        List<String> list = new ArrayList<>(List.of("a", "b"));
        list.sort((x, y) -> {
            Log.hit();
            return 0;
        });
    }

    static class Named {
        static {
            Log.hit();
        }

        Named() {
            Log.hit();
        }
    }

    public static void forName() throws Exception {
        Class.forName("cases.Library$Named").getDeclaredConstructor().newInstance();
    }

    static class Constructed {
        Constructed(String text) {
            Log.hit();
        }
    }

    public static void constructorByConstant() throws Exception {
        Constructed.class.getDeclaredConstructor(String.class).newInstance("");
    }

    static class Chosen {
        Chosen() {}

        Chosen(int number) {
            Log.hit();
        }
    }

    public static void constructorByParameters() throws Exception {
        Chosen.class.getDeclaredConstructor(int.class).newInstance(1);
    }

    static class Handled {
        Handled() {}

        Handled(long number) {
            Log.hit();
        }
    }

    public static void constructorByHandle() throws Throwable {
        MethodType type = MethodType.methodType(void.class, long.class);
        Object made = MethodHandles.lookup().findConstructor(Handled.class, type).invoke(1L);
    }

    static class Plain {
        Plain() {
            Log.hit();
        }

        Plain(int unused) {
            Log.hit();
        }
    }

    public static void constructorWithoutParameters() throws Exception {
        Plain.class.getDeclaredConstructor().newInstance();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Called {}

    @interface Unseen {}

    static class Wheel {
        Wheel() {
            Log.hit();
        }
    }

    static class Handed {
        Handed() {
            Log.hit();
        }
    }

    static class Populated {
        Populated(Wheel[] wheels, long number) {
            Log.hit();
        }

        @Called
        void called(Handed handed) {
            Log.hit();
        }

        @Unseen
        void notSeen() {
            Log.hit();
        }

        @Deprecated
        void ofTheJdk() {
            Log.hit();
        }

        void plain() {
            Log.hit();
        }
    }

    public static void whatComesWithAnObject() throws Exception {
        Constructor<?> constructor = Populated.class.getDeclaredConstructors()[0];
        Class<?> element = constructor.getParameterTypes()[0].getComponentType();
        element.getDeclaredConstructors()[0].newInstance();
        Object made = constructor.newInstance(null, 1L);
        for (Method method : Populated.class.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Called.class)) {
                Class<?> parameter = method.getParameterTypes()[0];
                method.invoke(made, parameter.getDeclaredConstructors()[0].newInstance());
            }
        }
    }

    static void found() {
        Log.hit();
    }

    static void neverFound() {
        Log.hit();
    }

    public static void methodByConstant() throws Exception {
        Library.class.getDeclaredMethod("found").invoke(null);
    }

    public static void methodHandle() throws Throwable {
        MethodHandles.lookup().findStatic(Library.class, "found",
                MethodType.methodType(void.class)).invokeExact();
    }

    public interface Service {
        void serve();
    }

    public static class Provider implements Service {
        public Provider() {
            Log.hit();
        }

        @Override
        public void serve() {
            Log.hit();
        }
    }

    public static class OtherProvider implements Selection.Marked {
        public OtherProvider() {
            Log.hit();
        }
    }

    public static void service() {
        for (Service service : ServiceLoader.load(Service.class)) {
            service.serve();
        }
    }

    static <T> T only(Class<T> type) {
        return ServiceLoader.load(type).iterator().next();
    }

    public static void serviceOfAParameter() {
        only(Service.class).serve();
    }

    static class Handler implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] args) {
            Log.hit();
            return null;
        }
    }

    public static void proxy() {
        Class<?>[] interfaces = {Selection.Top.class};
        Object proxy = Proxy.newProxyInstance(Library.class.getClassLoader(), interfaces,
                new Handler());
        ((Selection.Top) proxy).d();
    }

    @SuppressWarnings("removal")
    public static void privileged() {
        AccessController.doPrivileged((PrivilegedAction<String>) () -> {
            Log.hit();
            return "";
        });
    }

    static class Resource implements AutoCloseable {
        @Override
        public void close() {
            Log.hit();
        }
    }

    public static void resource() {
        try (Resource resource = new Resource()) {
            resource.hashCode();
        }
    }

    public static void stream() {
        List.of("a").stream().map(x -> {
            Log.hit();
            return x;
        }).forEach(x -> Log.hit());
    }
}
