package fibres;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * `Waits PAIRS ROUNDS`: virtual threads that wait for each other, in pairs: by a queue, a
 * condition, a monitor, and semaphores; and threads that wait for a class, whose initialiser,
 * called by the JVM, sleeps. So a thread parks with its carrier (a native frame; before Java 24 a
 * monitor, too) and without. With P pairs of each of the four kinds and R rounds, `side` is called
 * 8 P times, `give` and `take` 4 P R times each, `note` 8 P R times, `ask` 4 P times, and `first`
 * 4 times.
 */
public final class Waits {
    public static void main(String[] args) throws Exception {
        run(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    }

    static void run(int pairs, int rounds) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            for (Pair pair : List.of(new Queued(), new Locked(), new Watched(), new Counted())) {
                all.add(thread(() -> side(pair, true, rounds)));
                all.add(thread(() -> side(pair, false, rounds)));
            }
            for (int number = 0; number < 4; number++) {
                int own = number;
                all.add(thread(() -> ask(own)));
            }
        }
        for (Thread thread : all) thread.start();
        for (Thread thread : all) thread.join();
    }

    private static Thread thread(Runnable body) throws Exception {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Method unstarted =
                Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
        return (Thread) unstarted.invoke(builder, body);
    }

    static void side(Pair pair, boolean gives, int rounds) {
        try {
            for (int i = 0; i < rounds; i++) {
                if (gives) {
                    pair.give(i);
                } else if (pair.take() != i) {
                    throw new IllegalStateException("another number");
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static int note(int number) {
        return number;
    }

    static int ask(int number) {
        switch (number) {
            case 0: return First.VALUE;
            case 1: return Second.VALUE;
            case 2: return Third.VALUE;
            default: return Fourth.VALUE;
        }
    }

    static int first(int number) {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return number;
    }

    private static final class First {
        static final int VALUE = first(1);
    }

    private static final class Second {
        static final int VALUE = first(2);
    }

    private static final class Third {
        static final int VALUE = first(3);
    }

    private static final class Fourth {
        static final int VALUE = first(4);
    }

    /** Hands numbers from one thread to another. */
    private interface Pair {
        void give(int number) throws InterruptedException;

        int take() throws InterruptedException;
    }

    private static final class Queued implements Pair {
        private final SynchronousQueue<Integer> queue = new SynchronousQueue<>();

        @Override
        public void give(int number) throws InterruptedException {
            queue.put(note(number));
        }

        @Override
        public int take() throws InterruptedException {
            return note(queue.take());
        }
    }

    private static final class Locked implements Pair {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private Integer number;

        @Override
        public void give(int given) throws InterruptedException {
            lock.lock();
            try {
                while (number != null) changed.await();
                number = note(given);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public int take() throws InterruptedException {
            lock.lock();
            try {
                while (number == null) changed.await();
                int taken = note(number);
                number = null;
                changed.signalAll();
                return taken;
            } finally {
                lock.unlock();
            }
        }
    }

    private static final class Watched implements Pair {
        private Integer number;

        @Override
        public synchronized void give(int given) throws InterruptedException {
            while (number != null) wait();
            number = note(given);
            notifyAll();
        }

        @Override
        public synchronized int take() throws InterruptedException {
            while (number == null) wait();
            int taken = note(number);
            number = null;
            notifyAll();
            if (taken % 8 == 0) Thread.sleep(0, 100_000);
            return taken;
        }
    }

    private static final class Counted implements Pair {
        private final Semaphore free = new Semaphore(1);
        private final Semaphore full = new Semaphore(0);
        private int number;

        @Override
        public void give(int given) throws InterruptedException {
            free.acquire();
            number = note(given);
            full.release();
        }

        @Override
        public int take() throws InterruptedException {
            full.acquire();
            int taken = note(number);
            free.release();
            return taken;
        }
    }

    private Waits() {}
}
