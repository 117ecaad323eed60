package jfathom.runtime;

/**
 * The calibration loops: they call methods with probes as rewritten code has them. Beside each is
 * its reference loop, which calls the same method without probes. An id is a constant to the
 * compiler, as in rewritten code.
 */
final class CalibrationLoops {
    /** Ids at the end of the span, which belong to no method: as many as the host leaves there. */
    static final int TIMED = Session.IDS - 1;
    static final int TIMED_OUTER = Session.IDS - 2;
    static final int COUNTED = Session.IDS - 3;
    static final int OFF = Session.IDS - 4;

    static final int RETURN = 0;
    static final int THROW = 1;
    static final int NESTED = 2;
    static final int COUNT = 3;
    static final int MIXED = 4;
    static final int LEAVE_OFF = 5;
    static final String[] NAMES = {"return", "throw", "nested", "count", "mixed", "off"};
    /** Records of one call, by kind. */
    static final int[] RECORDS = {2, 2, 4, 0, 3, 0};

    private static final RuntimeException THROWN = new Thrown();

    private CalibrationLoops() {}

    /**
     * Number of kinds that can be measured. Not a constant: this class is initialised before {@link
     * Probe#ROOTS_ONLY} is known.
     */
    static int kinds() {
        return Probe.ROOTS_ONLY ? 1 : NAMES.length;
    }

    /** Made once and without a stack trace, so that a throw costs what the compiler makes of it. */
    @SuppressWarnings("serial")
    private static final class Thrown extends RuntimeException {
        Thrown() {
            super(null, null, false, false);
        }
    }

    /** So many calls, with probes or without. The result keeps them from being compiled away. */
    static int run(int kind, boolean probes, int calls, int x) {
        switch (kind) {
            case RETURN:
                if (!probes) return referenceLoop(calls, x);
                return Probe.ROOTS_ONLY ? timedMethodLoop(calls, x) : timedLoop(calls, x);
            case THROW:
                return probes ? throwingLoop(calls, x) : referenceThrowingLoop(calls, x);
            case NESTED:
                return probes ? nestedLoop(calls, x) : referenceNestedLoop(calls, x);
            case COUNT:
                return probes ? countedLoop(calls, x) : referenceLoop(calls, x);
            case MIXED:
                return probes ? mixedLoop(calls, x) : referenceNestedLoop(calls, x);
            default:
                return probes ? offLoop(calls, x) : referenceLoop(calls, x);
        }
    }

    /**
     * So many steps without calls and probes, each of which waits for the one before and cannot be
     * made shorter. Their time shows the state of the machine.
     */
    static int pace(int steps, int x) {
        int state = x | 1;
        for (int i = 0; i < steps; i++) {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
        }
        return state;
    }

    /** Each probe, one after another, without a method. */
    static void probes(int id) {
        int token = Probe.methodEntry(id);
        // Without an exception, whose class would get a number.
        Probe.handleCatch(null, token);
        Probe.handleAny(token);
        Probe.methodExit(token);
        if (id == COUNTED) Probe.countedEntry(id);
        probesInside(id);
    }

    /** Those that record only inside a root. */
    static void probesInside(int id) {
        Probe.methodExit(Probe.innerEntry(id));
        Probe.methodThrow(Probe.innerEntry(id));
        if (id == COUNTED) Probe.countedInnerEntry(id);
    }

    private static int reference(int x) {
        return x * 31 + 7;
    }

    private static int timed(int x) {
        int token = Probe.innerEntry(TIMED);
        try {
            int result = x * 31 + 7;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    /** With probes that exist in compiled code where only the roots are timed. */
    private static int timedMethod(int x) {
        int token = Probe.methodEntry(TIMED);
        try {
            int result = x * 31 + 7;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    private static int counted(int x) {
        int token = Probe.innerEntry(COUNTED);
        try {
            int result = x * 31 + 7;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    private static int off(int x) {
        int token = Probe.innerEntry(OFF);
        try {
            int result = x * 31 + 7;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    private static int referenceThrowing(int x) {
        if (x != 7) throw THROWN;
        return x;
    }

    private static int throwing(int x) {
        int token = Probe.innerEntry(TIMED);
        try {
            if (x != 7) throw THROWN;
            Probe.methodExit(token);
            return x;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    private static int referenceNested(int x) {
        return reference(x) + 1;
    }

    private static int nested(int x) {
        int token = Probe.innerEntry(TIMED_OUTER);
        try {
            int result = timed(x) + 1;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    private static int referenceLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = reference(x);
        return x;
    }

    private static int timedLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = timed(x);
        return x;
    }

    private static int timedMethodLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = timedMethod(x);
        return x;
    }

    private static int countedLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = counted(x);
        return x;
    }

    private static int offLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = off(x);
        return x;
    }

    private static int referenceThrowingLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) {
            try {
                x = referenceThrowing(x | 8);
            } catch (Thrown e) {
                x = x * 31 + 7;
            }
        }
        return x;
    }

    private static int throwingLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) {
            try {
                x = throwing(x | 8);
            } catch (Thrown e) {
                x = x * 31 + 7;
            }
        }
        return x;
    }

    private static int referenceNestedLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = referenceNested(x);
        return x;
    }

    private static int nestedLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = nested(x);
        return x;
    }

    private static int mixedLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = timed(counted(x));
        return x;
    }
}
