package samples;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls on virtual threads are counted, in no tree. The API of Java 21 is reached by reflection, so
 * that this compiles for 17, where it does nothing.
 */
public final class Virtual {
    private static final AtomicInteger DONE = new AtomicInteger();

    public static void main(String[] args) throws Exception { // calls(1)
        here();
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            System.out.println("no virtual threads");
            return;
        }
        Thread[] threads = new Thread[1000];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = (Thread) start.invoke(null, (Runnable) Virtual::body);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("virtual " + DONE);
    }

    static void body() { // virtual(1000)
        step();
        LockSupport.parkNanos(1_000);
        step();
        synchronized (new Object()) {
            Thread.yield();
            try {
                fails();
            } catch (IllegalStateException e) {
                step();
            }
        }
    }

    static void step() { // virtual(3000)
        DONE.incrementAndGet();
    }

    static void fails() { // virtual(1000)
        throw new IllegalStateException();
    }

    /** The carrier's or the main thread's own calls stay what they are. */
    static void here() { // calls(1)
        DONE.incrementAndGet();
    }

    private Virtual() {}
}
