import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jfathom.runtime.Probe;

/** Records on every thread; prints how often each id was called. Ids: see the constants. */
public class Calls {
    static final int WORK = 1;
    static final int THROWING = 2;
    static final int CATCHING = 3;
    static final int DEEP = 4;
    static final int AFTER = 5;
    static final int FULL_HEAP = 6;
    static final int MANY = 7;

    static int work(int n) {
        int token = Probe.methodEntry(WORK);
        try {
            int result = n == 0 ? 1 : work(n - 1) + 1;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static void throwing(int n) {
        int token = Probe.methodEntry(THROWING);
        try {
            if (n == 0) throw new IllegalStateException();
            throwing(n - 1);
            Probe.methodExit(token);
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static void catching() {
        int token = Probe.methodEntry(CATCHING);
        try {
            try {
                throwing(3);
            } catch (IllegalStateException e) {
                Probe.handleCatch(e, token);
            }
            Probe.methodExit(token);
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static int deep(int n) {
        int token = Probe.methodEntry(DEEP);
        try {
            int result = deep(n + 1) + 1;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static void simple(int id) {
        int token = Probe.methodEntry(id);
        try {
            Probe.methodExit(token);
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
        try {
            deep(0);
        } catch (StackOverflowError e) {
            simple(AFTER);
        }
    }

    /** A thread whose overridable methods all lie. */
    static class Liar extends Thread {
        Liar(Runnable task) {
            super(task);
        }

        @Override
        public long getId() {
            return 1;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return true;
        }

        @Override
        public boolean isInterrupted() {
            return true;
        }

        @Override
        public State getState() {
            return State.TERMINATED;
        }

        @Override
        public String toString() {
            throw new IllegalStateException();
        }
    }

    static void together(int count, boolean liars, Runnable task) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) threads.add(liars ? new Liar(task) : new Thread(task));
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static volatile Object[] hoard;
    static volatile boolean fullMayBegin;
    static volatile boolean fullIsOver;

    /** A thread's first probe, and others, while the heap is full. */
    static void fullHeap() {
        Object[] chain = null;
        int size = 1 << 20;
        try {
            while (true) {
                try {
                    Object[] next = new Object[size];
                    next[0] = chain;
                    chain = next;
                    hoard = chain;
                } catch (OutOfMemoryError e) {
                    if (size == 16) break;
                    size = Math.max(16, size / 4);
                }
            }
            for (int i = 0; i < 20; i++) simple(FULL_HEAP);
        } finally {
            hoard = null;
        }
    }

    static void check(boolean truth, String what) {
        if (!truth) throw new AssertionError(what);
    }

    /** The interrupt status and the permit stay the program's, even if the ring is always full. */
    static void permits() {
        for (int i = 0; i < 20; i++) {
            Thread.currentThread().interrupt();
            work(200);
            check(Thread.interrupted(), "the interrupt status is lost");
            work(200);
            check(!Thread.interrupted(), "an interrupt status was invented");
            LockSupport.unpark(Thread.currentThread());
            work(200);
            // Hangs if a probe has used up the permit.
            LockSupport.park();
        }
    }

    static void print(String name, long value) {
        System.out.println(name + " " + value);
    }

    public static void main(String[] args) throws Exception {
        int many = Integer.parseInt(args[0]);
        for (int i = 0; i < 1000; i++) work(9);
        long works = 10_000;
        for (int i = 0; i < 100; i++) catching();
        print("catching", 100);
        print("throwing", 400);

        // A thread that is interrupted at its first probe.
        Thread interrupted = new Thread(() -> {
            Thread.currentThread().interrupt();
            work(9);
            check(Thread.interrupted(), "the first probe takes the interrupt status");
        });
        interrupted.start();
        interrupted.join();
        works += 10;

        together(50, true, () -> work(99));
        works += 50 * 100;
        together(200, false, () -> work(9));
        works += 200 * 10;
        for (int i = 0; i < many; i++) together(1, i % 2 == 0, () -> simple(MANY));
        print("many", many);

        Thread permits = new Thread(Calls::permits);
        permits.start();
        permits.join();
        works += 20 * 3 * 201;

        int overflows = 40;
        for (int i = 0; i < overflows; i++) {
            int padding = i;
            Thread thread = new Thread(null, () -> overflow(padding), "deep", 200_000);
            thread.start();
            thread.join();
        }
        print("after", overflows);

        Thread full = new Thread(() -> {
            // Not before the other thread rests.
            while (!fullMayBegin) Thread.yield();
            try {
                fullHeap();
            } finally {
                fullIsOver = true;
            }
        });
        // Loads what it needs while there is room.
        Thread.yield();
        full.start();
        fullMayBegin = true;
        // Waits without any allocation.
        while (!fullIsOver) Thread.yield();
        full.join();
        work(9);
        works += 10;
        print("work", works);
    }
}
