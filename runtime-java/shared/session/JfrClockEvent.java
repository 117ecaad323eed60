package jfathom.runtime;

import java.lang.invoke.MethodHandle;

/**
 * An event of JFR with the session's clock. JFR stamps it with its own clock between two readings
 * of ours, which are its fields. Both types have the same fields.
 */
final class JfrClockEvent implements Runnable {
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
    /** Events of this session so far, of both types. Guarded by the class. */
    private static long number;

    private JfrClockEvent(String name, String period) throws Throwable {
        recorder = JfrTypes.jfr("FlightRecorder");
        factory =
                JfrTypes.factory(
                        name,
                        period,
                        false,
                        Layout.JFR_CLOCK_NUMBER,
                        Layout.JFR_CLOCK_BEFORE,
                        Layout.JFR_CLOCK_AFTER);
        newEvent = JfrTypes.newEvent();
        stamp = JfrTypes.ofEvent("begin");
        commit = JfrTypes.ofEvent("commit");
        set = JfrTypes.set();
    }

    /** The one that JFR writes again and again. */
    static JfrClockEvent periodic() throws Throwable {
        return new JfrClockEvent(Layout.JFR_CLOCK_EVENT, "500 ms");
    }

    /**
     * The one that JFR writes when it begins and ends a chunk: so there is one when it begins to
     * record after the session, or ends before it.
     */
    static JfrClockEvent ofChunks() throws Throwable {
        return new JfrClockEvent(Layout.JFR_CHUNK_CLOCK_EVENT, "everyChunk");
    }

    /** Begins to count anew. */
    static void beginSession() {
        synchronized (JfrClockEvent.class) {
            number = 0;
        }
    }

    /** Makes the event known to JFR again, after {@link #end}. */
    void register() throws Exception {
        JfrTypes.register(factory);
    }

    /** Has JFR call this object. */
    void begin() throws Throwable {
        Class<?> type = ((Object) newEvent.invokeExact(factory)).getClass();
        recorder.getMethod("addPeriodicEvent", Class.class, Runnable.class).invoke(null, type, this);
    }

    /** Has JFR call it no more. */
    void end() throws Exception {
        recorder.getMethod("removePeriodicEvent", Runnable.class).invoke(null, this);
        JfrTypes.unregister(factory);
    }

    /** Writes an event. */
    @Override
    public void run() {
        synchronized (JfrClockEvent.class) {
            write();
        }
    }

    private void write() {
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
