package samples;

/** Runs what is expected to fail. */
final class Expect {
    /** Something that throws. */
    interface Body {
        void run() throws Throwable;
    }

    /** Fails where the body does not throw, or throws something else. */
    static void thrown(Class<? extends Throwable> type, Body body) {
        try {
            body.run();
        } catch (Throwable t) {
            if (t.getClass() != type) {
                throw new AssertionError("expected " + type, t);
            }
            return;
        }
        throw new AssertionError("nothing thrown, expected " + type);
    }

    static void that(boolean truth, String what) {
        if (!truth) {
            throw new AssertionError(what);
        }
    }

    private Expect() {}
}
