package reach;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * A container that makes the objects which constructors and annotated methods ask for, and calls
 * annotated methods.
 */
// not planned: Chosen::<init>, Chosen::ready
public final class Injected {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Inject {}

    @Retention(RetentionPolicy.CLASS)
    @interface Unseen {}

    /** Only named as a parameter. */
    static final class Store {
        static int made = Integer.parseInt("0");

        Store(Clock clock, Wheel[] wheels, int size) {
            made += clock.tick() + wheels[0].turn() + size;
        }

        int size() {
            return made;
        }
    }

    static final class Clock {
        int tick() {
            return 1;
        }
    }

    static final class Wheel {
        int turn() {
            return 2;
        }
    }

    static final class Log {
        void add(String text) {
            System.out.println(text);
        }
    }

    abstract static class Base {
        @Inject
        private void open(Log log) {
            log.add("open");
        }

        @Inject
        void start() {
            throw new AssertionError("overridden");
        }

        @Unseen
        void unseen() {}
    }

    static final class Service extends Base {
        Service() {
            throw new AssertionError("not chosen");
        }

        @Inject
        Service(Store store) {
            System.out.println(store.size());
        }

        @Override
        void start() {
            System.out.println("started");
        }

        @Inject
        static void later(Source source) {
            source.ready();
        }
    }

    /** Which class stands for it, no code says. */
    interface Source {
        void ready();
    }

    static final class Chosen implements Source {
        @Override
        public void ready() {}
    }

    /** What makes its parts by reflection. */
    private static Object make(Class<?> type) throws Exception {
        if (type.isInterface()) {
            return make(Class.forName(type.getName().replace("Source", "Chosen")));
        }
        if (type.isArray()) {
            Object parts = Array.newInstance(type.getComponentType(), 1);
            Array.set(parts, 0, make(type.getComponentType()));
            return parts;
        }
        if (type == int.class) {
            return 3;
        }
        Constructor<?> chosen = type.getDeclaredConstructors()[0];
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.isAnnotationPresent(Inject.class)) {
                chosen = constructor;
            }
        }
        Object made = chosen.newInstance(all(chosen.getParameterTypes()));
        for (Class<?> above = type; above != Object.class; above = above.getSuperclass()) {
            for (Method method : above.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Inject.class)) {
                    method.setAccessible(true);
                    Object on = Modifier.isStatic(method.getModifiers()) ? null : made;
                    method.invoke(on, all(method.getParameterTypes()));
                }
            }
        }
        return made;
    }

    private static Object[] all(Class<?>[] types) throws Exception {
        Object[] parts = new Object[types.length];
        for (int at = 0; at < types.length; at++) {
            parts[at] = make(types[at]);
        }
        return parts;
    }

    public static void main(String[] args) throws Exception {
        make(Service.class);
    }
}
