package jfathom.runtime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;

/**
 * The event of JFR with the session's clock. JFR stamps it with its own clock between two readings
 * of ours, which are its fields. By reflection: the runtime's module may not read JFR's, and an
 * image may lack it.
 */
final class JfrClockEvent implements Runnable {
    private static final String JFR = "jdk.jfr.";
    /** Period where a recording's settings name none. */
    private static final String PERIOD = "100 ms";
    /** Stamps of one event: the one whose two readings are closest is written. */
    private static final int TRIES = 8;

    private static final int NUMBER = 0;
    private static final int BEFORE = 1;
    private static final int AFTER = 2;

    private final Object factory;
    private final Class<?> recorder;
    /** From the factory to the event. */
    private final MethodHandle newEvent;
    /** From the event to void. {@link #set} is from event, place and value. */
    private final MethodHandle stamp;

    private final MethodHandle commit;
    private final MethodHandle set;
    /** Events of this session so far. Guarded by this. */
    private long number;

    JfrClockEvent() throws Throwable {
        Class<?> event = jfr("Event");
        Class<?> factories = jfr("EventFactory");
        recorder = jfr("FlightRecorder");
        List<Object> annotations = new ArrayList<>();
        annotations.add(annotation("Name", Layout.JFR_CLOCK_EVENT));
        annotations.add(annotation("Period", PERIOD));
        annotations.add(annotation("StackTrace", Boolean.FALSE));
        // A recording of the program's own has it only if it asks for it.
        annotations.add(annotation("Enabled", Boolean.FALSE));
        Constructor<?> field = jfr("ValueDescriptor").getConstructor(Class.class, String.class);
        List<Object> fields = new ArrayList<>();
        fields.add(field.newInstance(long.class, Layout.JFR_CLOCK_NUMBER));
        fields.add(field.newInstance(long.class, Layout.JFR_CLOCK_BEFORE));
        fields.add(field.newInstance(long.class, Layout.JFR_CLOCK_AFTER));
        factory = factories.getMethod("create", List.class, List.class)
                .invoke(null, annotations, fields);
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodType nothing = MethodType.methodType(void.class);
        MethodType ofObject = MethodType.methodType(void.class, Object.class);
        newEvent = lookup.findVirtual(factories, "newEvent", MethodType.methodType(event))
                .asType(MethodType.methodType(Object.class, Object.class));
        stamp = lookup.findVirtual(event, "begin", nothing).asType(ofObject);
        commit = lookup.findVirtual(event, "commit", nothing).asType(ofObject);
        MethodType placed = MethodType.methodType(void.class, int.class, Object.class);
        set = lookup.findVirtual(event, "set", placed)
                .asType(MethodType.methodType(void.class, Object.class, int.class, Object.class));
    }

    private static Class<?> jfr(String name) throws ClassNotFoundException {
        return Class.forName(JFR + name, true, null);
    }

    private static Object annotation(String name, Object value) throws Exception {
        return jfr("AnnotationElement")
                .getConstructor(Class.class, Object.class)
                .newInstance(jfr(name), value);
    }

    /** Makes the event known to JFR again, after {@link #end}. */
    void register() throws Exception {
        factory.getClass().getMethod("register").invoke(factory);
    }

    /** Has JFR call this object. */
    void begin() throws Throwable {
        synchronized (this) {
            number = 0;
        }
        Class<?> type = ((Object) newEvent.invokeExact(factory)).getClass();
        recorder.getMethod("addPeriodicEvent", Class.class, Runnable.class).invoke(null, type, this);
    }

    /** Has JFR call it no more. A last event is written. */
    void end() throws Exception {
        run();
        recorder.getMethod("removePeriodicEvent", Runnable.class).invoke(null, this);
        factory.getClass().getMethod("unregister").invoke(factory);
    }

    /** Writes an event. */
    @Override
    public synchronized void run() {
        try {
            Object best = null;
            long bestBefore = 0;
            long bestAfter = 0;
            for (int i = 0; i < TRIES; i++) {
                Object event = (Object) newEvent.invokeExact(factory);
                long before = Session.now();
                stamp.invokeExact(event);
                long after = Session.now();
                if (best == null || after - before < bestAfter - bestBefore) {
                    best = event;
                    bestBefore = before;
                    bestAfter = after;
                }
            }
            set.invokeExact(best, NUMBER, (Object) Long.valueOf(number));
            set.invokeExact(best, BEFORE, (Object) Long.valueOf(bestBefore));
            set.invokeExact(best, AFTER, (Object) Long.valueOf(bestAfter));
            commit.invokeExact(best);
            number++;
        } catch (Throwable e) {
            // The recording lacks this one.
        }
    }
}
