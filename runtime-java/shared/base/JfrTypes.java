package jfathom.runtime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;

/**
 * Types of events of JFR that the runtime makes, and what it calls of them. By reflection: the
 * runtime's module may not read JFR's, and an image may lack it.
 */
final class JfrTypes {
    private static final String JFR = "jdk.jfr.";
    private static final MethodType OF_OBJECT = MethodType.methodType(void.class, Object.class);

    private JfrTypes() {}

    static Class<?> jfr(String name) throws ClassNotFoundException {
        return Class.forName(JFR + name, true, null);
    }

    /**
     * A factory of events with these fields, all of them longs. {@code period}: how often JFR
     * writes one where a recording's settings do not say; null if it never does by itself.
     */
    static Object factory(String name, String period, boolean hasStack, String... fields)
            throws Exception {
        List<Object> annotations = new ArrayList<>();
        annotations.add(annotation("Name", name));
        if (period != null) annotations.add(annotation("Period", period));
        annotations.add(annotation("StackTrace", hasStack));
        // A recording of the program's own has it only if it asks for it.
        annotations.add(annotation("Enabled", Boolean.FALSE));
        Constructor<?> field = jfr("ValueDescriptor").getConstructor(Class.class, String.class);
        List<Object> longs = new ArrayList<>();
        for (String of : fields) longs.add(field.newInstance(long.class, of));
        return jfr("EventFactory")
                .getMethod("create", List.class, List.class)
                .invoke(null, annotations, longs);
    }

    private static Object annotation(String name, Object value) throws Exception {
        return jfr("AnnotationElement")
                .getConstructor(Class.class, Object.class)
                .newInstance(jfr(name), value);
    }

    /** From a factory to a new event. */
    static MethodHandle newEvent() throws Exception {
        return MethodHandles.publicLookup()
                .findVirtual(
                        jfr("EventFactory"), "newEvent", MethodType.methodType(jfr("Event")))
                .asType(MethodType.methodType(Object.class, Object.class));
    }

    /** From an event to void: a method without arguments. */
    static MethodHandle ofEvent(String method) throws Exception {
        return MethodHandles.publicLookup()
                .findVirtual(jfr("Event"), method, MethodType.methodType(void.class))
                .asType(OF_OBJECT);
    }

    /** From an event, the place of a field and its value to void. */
    static MethodHandle set() throws Exception {
        MethodType placed = MethodType.methodType(void.class, int.class, Object.class);
        return MethodHandles.publicLookup()
                .findVirtual(jfr("Event"), "set", placed)
                .asType(MethodType.methodType(void.class, Object.class, int.class, Object.class));
    }

    /** Makes the events of a factory known to JFR again, after {@link #unregister}. */
    static void register(Object factory) throws Exception {
        factory.getClass().getMethod("register").invoke(factory);
    }

    /** Has JFR forget the events of a factory. */
    static void unregister(Object factory) throws Exception {
        factory.getClass().getMethod("unregister").invoke(factory);
    }
}
