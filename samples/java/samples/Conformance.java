package samples;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** The ways to leave a method on which other tools miscount, each a known number of times. */
public final class Conformance {
    private static final int N = 1000;
    private static Object nothing;
    private static int sink;

    static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Thrown() { // calls(4000)
            super(null, null, false, false);
        }
    }

    public static void main(String[] args) throws InterruptedException { // calls(1)
        CountDownLatch inside = new CountDownLatch(1);
        Thread asleep = new Thread(() -> inFlight(inside), "asleep");
        asleep.setDaemon(true);
        asleep.start();
        inside.await();
        Runnable body = body();
        for (int i = 0; i < N; i++) {
            normal();
            caughtInside();
            body.run();
            Expect.thrown(Thrown.class, Conformance::own);
            Expect.thrown(Thrown.class, Conformance::fromCallee);
            Expect.thrown(NullPointerException.class, Conformance::implicit);
            Expect.thrown(Thrown.class, Conformance::byFinally);
            Expect.thrown(NullPointerException.class, Conformance::locked);
        }
        for (int i = 0; i < 10; i++) {
            recursive(10);
        }
        System.out.println("conformance " + sink);
    }

    static Runnable body() { // calls(1)
        return () -> sink++; // calls(1000) as(lambda$body$*)
    }

    static void normal() { // calls(1000)
        sink++;
    }

    static void own() { // calls(3000) throws(3000)
        throw new Thrown();
    }

    static void fromCallee() { // calls(1000) throws(1000)
        own();
    }

    static void implicit() { // calls(2000) throws(2000)
        nothing.hashCode();
    }

    static void caughtInside() { // calls(1000) caught(1000)
        try {
            throw new Thrown();
        } catch (Thrown e) {
            sink++;
        }
    }

    static void byFinally() { // calls(1000) throws(1000)
        try {
            own();
        } finally {
            sink++;
        }
    }

    static synchronized void locked() { // calls(1000) throws(1000)
        implicit();
    }

    static int recursive(int depth) { // calls(100)
        return depth == 1 ? 1 : 1 + recursive(depth - 1);
    }

    /** Never returns: the JVM ends while it waits. */
    static void inFlight(CountDownLatch inside) { // calls(1) open(1)
        inside.countDown();
        while (true) {
            LockSupport.park();
        }
    }

    private Conformance() {}
}
