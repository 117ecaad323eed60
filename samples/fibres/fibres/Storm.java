package fibres;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * `Storm THREADS ALIVE`: virtual threads that wait in all ways, some in a monitor, some with
 * an exception on its way, and go on with other carriers. Prints how often each method was called.
 * The API of Java 21 is reached by reflection, so that this compiles for 17, where it does nothing.
 */
public final class Storm {
    private static final LongAdder REQUESTS = new LongAdder();
    private static final LongAdder WORKS = new LongAdder();
    private static final LongAdder LEAVES = new LongAdder();
    private static final LongAdder FAILURES = new LongAdder();
    private static final Object MONITOR = new Object();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final BlockingQueue<Integer> QUEUE = new ArrayBlockingQueue<>(1000);

    public static void main(String[] args) throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            System.out.println("no virtual threads");
            return;
        }
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        Semaphore room = new Semaphore(args.length > 1 ? Integer.parseInt(args[1]) : 100);
        ArrayDeque<Thread> all = new ArrayDeque<>();
        for (int i = 0; i < threads; i++) {
            room.acquire();
            int number = i;
            Runnable body = () -> {
                try {
                    body(number);
                } finally {
                    room.release();
                }
            };
            all.add((Thread) start.invoke(null, body));
        }
        for (Thread thread : all) thread.join();
        System.out.println("request " + REQUESTS);
        System.out.println("work " + WORKS);
        System.out.println("leaf " + LEAVES);
        System.out.println("fail " + FAILURES);
    }

    static void body(int number) {
        try {
            request(number);
            if (number % 2 == 0) {
                Thread.sleep(1);
                request(number + 2);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        outside(number);
    }

    static int outside(int number) {
        return number * 3;
    }

    static int request(int number) throws InterruptedException {
        REQUESTS.increment();
        int sum = work(number);
        Thread.sleep(1);
        return sum + work(number + 1);
    }

    static int work(int number) throws InterruptedException {
        WORKS.increment();
        int sum = leaf(number);
        if (number % 3 == 0) {
            Thread.sleep(1);
        } else if (number % 7 == 0) {
            synchronized (MONITOR) {
                sum += leaf(sum);
                if (number % 49 == 0) Thread.sleep(1);
            }
        } else if (number % 5 == 0) {
            LOCK.lock();
            try {
                sum += leaf(sum);
            } finally {
                LOCK.unlock();
            }
        } else if (number % 13 == 0) {
            QUEUE.put(number);
            sum += QUEUE.take();
        } else {
            Thread.yield();
        }
        sum += leaf(sum);
        if (number % 11 == 0) {
            try {
                fail(number);
            } catch (IllegalStateException e) {
                sum += leaf(1);
            }
        }
        return sum;
    }

    static int leaf(int number) {
        LEAVES.increment();
        return number * 31 + 7;
    }

    static void fail(int number) throws InterruptedException {
        FAILURES.increment();
        if (number % 2 == 0) Thread.sleep(1);
        throw new IllegalStateException();
    }

    private Storm() {}
}
