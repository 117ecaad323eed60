package samples;

// roots: HandOffThreads::root

import java.util.concurrent.atomic.AtomicInteger;

/** Work that a root gives to threads of its own, and the same work given from outside. */
public final class HandOffThreads {
    private static final AtomicInteger DONE = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException { // calls(1) inside(0)
        outside();
        root();
        outside();
        System.out.println("hand-off threads " + DONE);
    }

    static void root() throws InterruptedException { // calls(1) inside(1) spawned(6)
        direct();
        join(new Thread(() -> byLambda(1)));
        join(new Thread(HandOffThreads::byReference));
        join(new Thread(new Runnable() {
            @Override
            public void run() { // calls(1) inside(1) as(HandOffThreads$1::run)
                byAnonymous();
            }
        }));
        join(new Sub());
        join(new SubOfTask(new Task()));
        abandoned();
        direct();
    }

    static void outside() throws InterruptedException { // calls(2) inside(0)
        direct();
        join(new Thread(() -> byLambda(1)));
        join(new Sub());
        join(new Thread(new Task()));
    }

    private static void join(Thread thread) throws InterruptedException {
        thread.start();
        thread.join();
    }

    /** Never started: nothing may wait for it or keep it. */
    private static Thread abandoned() { // calls(1) inside(1)
        return new Thread(HandOffThreads::direct);
    }

    static void direct() { // calls(4) inside(2)
        DONE.incrementAndGet();
    }

    /** Hands on to a thread of its own once. */
    static void byLambda(int depth) { // calls(6) inside(2)
        DONE.incrementAndGet();
        if (depth > 0) {
            Thread next = new Thread(() -> byLambda(depth - 1));
            next.start();
            try {
                next.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void byReference() { // calls(1) inside(1)
        DONE.incrementAndGet();
    }

    static void byAnonymous() { // calls(1) inside(1)
        DONE.incrementAndGet();
    }

    static final class Sub extends Thread {
        @Override
        public void run() { // calls(3) inside(1)
            bySubclass();
        }
    }

    static void bySubclass() { // calls(3) inside(1)
        DONE.incrementAndGet();
    }

    static final class SubOfTask extends Thread {
        SubOfTask(Runnable task) {
            super(task);
        }
    }

    static final class Task implements Runnable {
        @Override
        public void run() { // calls(3) inside(1)
            DONE.incrementAndGet();
        }
    }

    private HandOffThreads() {}
}
