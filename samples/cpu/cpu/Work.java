package cpu;

import java.util.concurrent.locks.LockSupport;

/** Methods that run, or wait in one way each; all are called by {@code root}. */
final class Work {
    static final String[] NAMES = {"compute", "sleep", "blockedByMonitor", "parked", "pingPong", "mixed"};
    static final int PING_PONG = 4;
    static final int TURNS = 20_000;

    static volatile long sink;

    private static final Object MONITOR = new Object();
    private static volatile boolean isHeld;
    private static volatile int turn;

    private Work() {}

    static void root(int method) throws InterruptedException {
        switch (method) {
            case -1:
                warm();
                break;
            case 0:
                compute();
                break;
            case 1:
                sleep();
                break;
            case 2:
                blockedByMonitor();
                break;
            case 3:
                parked();
                break;
            case PING_PONG:
                pingPong();
                break;
            default:
                mixed();
        }
    }

    /** What is loaded and compiled first, while the recorder finds this JVM, is not in others. */
    static void warm() throws InterruptedException {
        for (int at = 0; at < 40; at++) {
            spin(8);
            Thread.sleep(7);
        }
    }

    static void compute() {
        spin(200);
    }

    static void sleep() throws InterruptedException {
        Thread.sleep(100);
    }

    /** Waits for a monitor that another thread holds for 80 ms. */
    static void blockedByMonitor() {
        synchronized (MONITOR) {
            sink++;
        }
    }

    /** Called when the holder has the monitor. */
    static Thread holder() {
        isHeld = false;
        Thread holder = new Thread(() -> {
            synchronized (MONITOR) {
                isHeld = true;
                try {
                    Thread.sleep(80);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        holder.start();
        while (!isHeld) {
            Thread.yield();
        }
        return holder;
    }

    static void parked() {
        long until = System.nanoTime() + 90_000_000L;
        for (long left = 90_000_000L; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Two threads that wake each other, and park every few microseconds. */
    static void pingPong() {
        Thread self = Thread.currentThread();
        Thread[] other = new Thread[1];
        turn = 0;
        other[0] = new Thread(() -> turns(1, self));
        other[0].start();
        turns(0, other[0]);
    }

    private static void turns(int own, Thread other) {
        for (int at = 0; at < TURNS; at++) {
            while (turn % 2 != own) {
                LockSupport.park();
            }
            turn++;
            LockSupport.unpark(other);
        }
    }

    /** Runs, then sleeps, ten times, in methods of its own. */
    static void mixed() throws InterruptedException {
        for (int at = 0; at < 10; at++) {
            run();
            rest();
        }
    }

    static void run() {
        spin(8);
    }

    static void rest() throws InterruptedException {
        Thread.sleep(7);
    }

    private static void spin(long millis) {
        long until = System.nanoTime() + millis * 1_000_000L;
        long sum = sink;
        while (System.nanoTime() < until) {
            for (int at = 0; at < 2_000; at++) {
                sum = sum * 31 + at;
            }
        }
        sink = sum;
    }
}
