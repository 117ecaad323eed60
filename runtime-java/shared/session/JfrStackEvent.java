package jfathom.runtime;

import java.lang.invoke.MethodHandle;

/** The event of JFR with the stack of the call that is just beginning. JFR walks the stack. */
final class JfrStackEvent {
    private static final int METHOD = 0;
    private static final int NUMBER = 1;

    private final Object factory;
    /** From the factory to the event. */
    private final MethodHandle newEvent;
    /** From the event to void. {@link #set} is from event, place and value. */
    private final MethodHandle commit;

    private final MethodHandle set;

    JfrStackEvent() throws Throwable {
        factory =
                JfrTypes.factory(
                        Layout.JFR_STACK_EVENT,
                        null,
                        true,
                        Layout.JFR_STACK_METHOD,
                        Layout.JFR_STACK_NUMBER);
        newEvent = JfrTypes.newEvent();
        commit = JfrTypes.ofEvent("commit");
        set = JfrTypes.set();
        // What is linked at the first event is linked here, and not in a program's call.
        write(0, 0);
    }

    /** Makes the event known to JFR again, after {@link #end}. */
    void register() throws Exception {
        JfrTypes.register(factory);
    }

    /** Has JFR forget it. */
    void end() throws Exception {
        JfrTypes.unregister(factory);
    }

    /** Writes an event with the stack of the current thread. No walk has the number 0. */
    void write(long method, long number) throws Throwable {
        Object event = (Object) newEvent.invokeExact(factory);
        set.invokeExact(event, METHOD, (Object) Long.valueOf(method));
        set.invokeExact(event, NUMBER, (Object) Long.valueOf(number));
        commit.invokeExact(event);
    }
}
