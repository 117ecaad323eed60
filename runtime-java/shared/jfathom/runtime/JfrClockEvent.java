package jfathom.runtime;

import java.lang.invoke.MethodHandle;

/**
 * The event of JFR with the session's clock. JFR stamps it with its own clock between two readings
 * of ours, which are its fields.
 */
final class JfrClockEvent implements Runnable {
    /** Period where a recording's settings name none. */
    private static final String PERIOD = "500 ms";
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
        recorder = JfrTypes.jfr("FlightRecorder");
        factory =
                JfrTypes.factory(
                        Layout.JFR_CLOCK_EVENT,
                        PERIOD,
                        false,
                        Layout.JFR_CLOCK_NUMBER,
                        Layout.JFR_CLOCK_BEFORE,
                        Layout.JFR_CLOCK_AFTER);
        newEvent = JfrTypes.newEvent();
        stamp = JfrTypes.ofEvent("begin");
        commit = JfrTypes.ofEvent("commit");
        set = JfrTypes.set();
    }

    /** Makes the event known to JFR again, after {@link #end}. */
    void register() throws Exception {
        JfrTypes.register(factory);
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
        JfrTypes.unregister(factory);
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
