package app;

import java.util.ArrayDeque;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.jvm.internal.ContinuationImpl;
import kotlin.coroutines.jvm.internal.SuspendLambda;

/** What `kotlinc` makes of suspend functions and suspend lambdas, written down in Java. */
public class Suspends {
    static final ArrayDeque<Continuation> WAITING = new ArrayDeque<>();

    /** The continuation of {@link #resumesThrice}: `Suspends$resumesThrice$1`. */
    static final class State extends ContinuationImpl {
        final Continuation caller;
        int label;

        State(Continuation caller) {
            this.caller = caller;
        }

        @Override
        public Object invokeSuspend(Object result) {
            label |= Integer.MIN_VALUE;
            return resumesThrice(0, this);
        }
    }

    /** Called once for each call, and three times more to resume it. */
    static Object resumesThrice(int start, Continuation continuation) {
        State state;
        if (continuation instanceof State
                && (((State) continuation).label & Integer.MIN_VALUE) != 0) {
            state = (State) continuation;
            state.label -= Integer.MIN_VALUE;
        } else {
            state = new State(continuation);
        }
        switch (state.label) {
            case 0:
            case 1:
            case 2:
                state.label++;
                return passesOn(state);
            default:
                return "done";
        }
    }

    /** A suspend function that ends in a call of another one has no state of its own. */
    static Object passesOn(Continuation continuation) {
        WAITING.add(continuation);
        return "suspended";
    }

    /** The test of another object's label is no resumption. */
    static Object looksAt(Continuation continuation, Continuation other) {
        State state = other instanceof State ? (State) other : null;
        return state != null && continuation instanceof SuspendLambda ? state.label & 1 : 0;
    }

    static final class Lambda extends SuspendLambda {
        int label;

        @Override
        public Object invokeSuspend(Object result) {
            switch (label) {
                case 0:
                    label = 1;
                    return passesOn(this);
                case 1:
                    return "done";
                default:
                    throw new IllegalStateException();
            }
        }
    }

    /** A lambda that never suspends has one way to go. */
    static final class Plain extends SuspendLambda {
        int label;

        @Override
        public Object invokeSuspend(Object result) {
            switch (label) {
                case 0:
                    return "done";
                default:
                    throw new IllegalStateException();
            }
        }
    }

    static void root() {
        for (int i = 0; i < 2; i++) resumesThrice(i, null);
        new Plain().resumeWith(null);
        new Lambda().resumeWith(null);
        looksAt(new Plain(), new State(null));
        for (Continuation next; (next = WAITING.poll()) != null; ) next.resumeWith("value");
    }

    public static void main(String[] args) {
        root();
    }
}
