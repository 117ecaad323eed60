import kotlin.coroutines.Continuation;
import kotlin.coroutines.jvm.internal.ContinuationImpl;

/** Methods of the shapes that Kotlin's compiler writes; those that are resumed say so. */
public class Resumptions {
    static class State extends ContinuationImpl {
        int label;
        int other;
    }

    static Object resumesFunction(int a, Continuation c) {
        State state = c instanceof State && (((State) c).label & Integer.MIN_VALUE) != 0
                ? (State) c : new State();
        switch (state.label) {
            case 0: return a;
            case 1: return "on";
            default: throw new IllegalStateException();
        }
    }

    /** A field of this name of its own says nothing of where it goes on. */
    Object ownLabel(Continuation c) {
        if (c instanceof State && (((State) c).label & Integer.MIN_VALUE) != 0) return "on";
        switch (label) {
            case 0: return c;
            case 1: return "one";
            default: return "many";
        }
    }

    Object resumesAsWell(Continuation c) {
        State state;
        if (c instanceof State && (((State) c).label & 0x80000000) != 0) {
            state = (State) c;
            state.label -= 0x80000000;
        } else {
            state = new State();
        }
        switch (label) {
            case 0: break;
            case 1: return c;
            default: return "many";
        }
        switch (state.label) {
            case 0: return state;
            case 1: return "on";
            default: throw new IllegalStateException();
        }
    }

    static Object passesOn(Continuation c) { return c; }

    static Object otherBit(Continuation c) {
        return c instanceof State && (((State) c).label & Integer.MAX_VALUE) != 0 ? "on" : null;
    }

    static Object otherField(Continuation c) {
        return c instanceof State && (((State) c).other & Integer.MIN_VALUE) != 0 ? "on" : null;
    }

    static Object ofAnother(State s, Continuation c) {
        return c instanceof ContinuationImpl && (s.label & Integer.MIN_VALUE) != 0 ? "on" : null;
    }

    static Object noContinuation(Object c) {
        return c instanceof State && (((State) c).label & Integer.MIN_VALUE) != 0 ? "on" : null;
    }

    /** Like an invokeSuspend, and in no continuation. */
    int label;

    public Object invokeSuspend(Object result) {
        switch (label) {
            case 0: return result;
            case 1: return null;
            default: throw new IllegalStateException();
        }
    }
}
