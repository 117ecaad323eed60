package java.lang;

import java.util.concurrent.ConcurrentLinkedQueue;

/** Stands in for the runtime's hooks: keeps what is told about the class that is watched. */
public final class JfathomHooks {
    public static volatile Class<?> watched;
    public static final ConcurrentLinkedQueue<String> TOLD = new ConcurrentLinkedQueue<>();

    public static void invoked(Object member) {
        member("invoked", member);
    }

    public static void unreflected(Object member) {
        member("unreflected", member);
    }

    private static void member(String how, Object member) {
        if (watched == null || member == null) return;
        java.lang.reflect.Executable executable =
                (java.lang.reflect.Executable) member;
        if (executable.getDeclaringClass() == watched) {
            TOLD.add(how + " " + executable.getName() + " " + executable.getParameterCount());
        }
    }

    public static void lookedUp(Class<?> type, String name, Object methodType) {
        if (watched != null && type == watched) TOLD.add("lookedUp " + name + " " + methodType);
    }

    public static void constructorLookedUp(Class<?> type, Object methodType) {
        if (watched != null && type == watched) TOLD.add("constructorLookedUp " + methodType);
    }

    public static void bound(Object receiver, String name, Object methodType) {
        if (watched != null && receiver.getClass() == watched) TOLD.add("bound " + name + " " + methodType);
    }
}
