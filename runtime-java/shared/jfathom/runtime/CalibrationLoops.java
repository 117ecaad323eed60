package jfathom.runtime;

/**
 * What {@link Calibration} measures: methods with probes as rewritten code has them, each beside its twin without, and the
 * loops that call them. An id is a constant to the compiler, as in rewritten code.
 */
final class CalibrationLoops {
    /** Ids at the end of the span, which no method has: as many as {@link Start} leaves to spare. */
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
    /** Records of one call. */
    static final int[] RECORDS = {2, 2, 4, 0, 3, 0};

    private static final RuntimeException THROWN = new Thrown();

    private CalibrationLoops() {}

    /** How many kinds can be measured; no constant of this class, which is made before that of Probe is known. */
    static int kinds() {
        return Probe.ROOTS_ONLY ? 1 : NAMES.length;
    }

    /** Made once, without a stack trace: what it costs to throw is then what the compiler makes of it. */
    @SuppressWarnings("serial")
    private static final class Thrown extends RuntimeException {
        Thrown() {
            super(null, null, false, false);
        }
    }

    /** So many calls, with probes or without; the result keeps them from being compiled away. */
    static int run(int kind, boolean probes, int calls, int x) {
        switch (kind) {
            case RETURN:
                if (!probes) return plainLoop(calls, x);
                return Probe.ROOTS_ONLY ? aloneLoop(calls, x) : timedLoop(calls, x);
            case THROW:
                return probes ? throwingLoop(calls, x) : plainThrowingLoop(calls, x);
            case NESTED:
                return probes ? nestedLoop(calls, x) : plainNestedLoop(calls, x);
            case COUNT:
                return probes ? countedLoop(calls, x) : plainLoop(calls, x);
            case MIXED:
                return probes ? mixedLoop(calls, x) : plainNestedLoop(calls, x);
            default:
                return probes ? offLoop(calls, x) : plainLoop(calls, x);
        }
    }

    /** Each probe in turn, with no method between. */
    static void probes(int id) {
        Probe.methodEntry(id);
        Probe.methodExit(id);
        Probe.pinnedMethodEntry(id);
        Probe.methodExit(id);
        Probe.handleCatch(id);
        probesInside(id);
    }

    /** Those that record only inside a root. */
    static void probesInside(int id) {
        Probe.innerEntry(id);
        Probe.innerExit(id);
        Probe.pinnedInnerEntry(id);
        Probe.innerThrow(id);
    }

    private static int plain(int x) {
        return x * 31 + 7;
    }

    private static int timed(int x) {
        Probe.innerEntry(TIMED);
        try {
            int result = x * 31 + 7;
            Probe.innerExit(TIMED);
            return result;
        } catch (Throwable e) {
            Probe.innerThrow(TIMED);
            throw e;
        }
    }

    /** By probes that there are where roots are timed alone. */
    private static int timedAlone(int x) {
        Probe.methodEntry(TIMED);
        try {
            int result = x * 31 + 7;
            Probe.methodExit(TIMED);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(TIMED);
            throw e;
        }
    }

    private static int counted(int x) {
        Probe.innerEntry(COUNTED);
        try {
            int result = x * 31 + 7;
            Probe.innerExit(COUNTED);
            return result;
        } catch (Throwable e) {
            Probe.innerThrow(COUNTED);
            throw e;
        }
    }

    private static int off(int x) {
        Probe.innerEntry(OFF);
        try {
            int result = x * 31 + 7;
            Probe.innerExit(OFF);
            return result;
        } catch (Throwable e) {
            Probe.innerThrow(OFF);
            throw e;
        }
    }

    private static int plainThrowing(int x) {
        if (x != 7) throw THROWN;
        return x;
    }

    private static int throwing(int x) {
        Probe.innerEntry(TIMED);
        try {
            if (x != 7) throw THROWN;
            Probe.innerExit(TIMED);
            return x;
        } catch (Throwable e) {
            Probe.innerThrow(TIMED);
            throw e;
        }
    }

    private static int plainNested(int x) {
        return plain(x) + 1;
    }

    private static int nested(int x) {
        Probe.innerEntry(TIMED_OUTER);
        try {
            int result = timed(x) + 1;
            Probe.innerExit(TIMED_OUTER);
            return result;
        } catch (Throwable e) {
            Probe.innerThrow(TIMED_OUTER);
            throw e;
        }
    }

    private static int plainLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = plain(x);
        return x;
    }

    private static int timedLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = timed(x);
        return x;
    }

    private static int aloneLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = timedAlone(x);
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

    private static int plainThrowingLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) {
            try {
                x = plainThrowing(x | 8);
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

    private static int plainNestedLoop(int calls, int x) {
        for (int i = 0; i < calls; i++) x = plainNested(x);
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
