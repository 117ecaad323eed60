import jfathom.runtime.Probe;

/** Calls the probes of handlers, in methods that record on every thread. Ids: see the constants. */
public class Catches {
    static final int EACH = 1;
    static final int DEEP = 2;

    /** A probe of each kind. */
    static void each() {
        int token = Probe.methodEntry(EACH);
        try {
            Probe.handleCatch(new IllegalStateException(), token);
            Probe.handleAny(token);
            Probe.methodExit(token);
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    /**
     * Catches the end of the stack up to so many calls above it: there is no room for a record, or
     * for that alone, or for all.
     */
    static int deep(int n) {
        int token = Probe.methodEntry(DEEP);
        try {
            int result = 0;
            try {
                result = deep(n + 1) + 1;
            } catch (StackOverflowError e) {
                if (n % 128 != 0) throw e;
                Probe.handleCatch(e, token);
            }
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    /** Starts its recursion deeper than the last one, so that the stack ends at every place. */
    static void overflow(int padding) {
        if (padding > 0) {
            overflow(padding - 1);
            return;
        }
        deep(0);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 100; i++) each();
        for (int padding = 0; padding < 40; padding++) overflow(padding);
        for (int i = 0; i < 100; i++) each();
        System.out.println("each 200");
    }
}
