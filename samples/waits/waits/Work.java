package waits;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/** Methods that wait in one way each, or throw; {@code Main} calls each of them once. */
final class Work {
    static final int MILLIS = 60;
    static final int PARKS = 50;
    static final int ODD = 300;
    static final int EVEN = 200;
    static final int LIGHT = 1_000;
    static final int BYTES = 8_000_000;

    static volatile long sink;
    static volatile Object kept;

    /** The class of the monitor that {@link #monitor} waits for. */
    static final class Door {}

    /** The class of the object in whose {@code wait} {@link #objectWait} waits. */
    static final class Bell {}

    /** The class of the blocker of {@link #park}. */
    static final class Bench {}

    static final class OddException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static final class EvenException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Has no stack of its own, so that making it takes little. */
    static final class LightException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LightException() {
            super(null, null, false, false);
        }
    }

    private static final Door DOOR = new Door();
    private static volatile boolean isHeld;

    private Work() {}

    static void sleep() throws InterruptedException {
        Thread.sleep(MILLIS);
    }

    static void park() {
        Bench bench = new Bench();
        long until = System.nanoTime() + MILLIS * 1_000_000L;
        for (long left; (left = until - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(bench, left);
        }
    }

    static void objectWait() throws InterruptedException {
        Bell bell = new Bell();
        synchronized (bell) {
            bell.wait(MILLIS);
        }
    }

    /** Waits for a monitor that another thread holds: for as long as that one sleeps in it. */
    static void monitor() throws InterruptedException {
        synchronized (DOOR) {
            sink++;
        }
    }

    /** Called when the holder has the monitor. */
    static Thread holder() {
        isHeld = false;
        Thread holder = new Thread(() -> {
            synchronized (DOOR) {
                isHeld = true;
                try {
                    Thread.sleep(MILLIS);
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

    /** Reads a byte that comes late. */
    static void socket(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        sink += in.read();
    }

    /** Reads a pipe without a writer that writes at once. */
    static void file(File pipe) throws IOException {
        try (FileInputStream in = new FileInputStream(pipe)) {
            sink += in.read();
        }
    }

    static void collect() {
        for (int at = 0; at < 5; at++) {
            System.gc();
        }
    }

    /** Parks a short while, many times, in a method of its own each time. */
    static void shortParks() {
        for (int at = 0; at < PARKS; at++) {
            shortPark();
        }
    }

    static void shortPark() {
        LockSupport.parkNanos(200_000);
    }

    /** Runs and never waits. */
    static void compute() {
        long until = System.nanoTime() + 3 * MILLIS * 1_000_000L;
        long sum = sink;
        while (System.nanoTime() < until) {
            for (int at = 0; at < 2_000; at++) {
                sum = sum * 31 + at;
            }
        }
        sink = sum;
    }

    /** Makes and catches so many exceptions of two classes. */
    static void exceptions() {
        for (int at = 0; at < ODD; at++) {
            try {
                throw new OddException();
            } catch (OddException e) {
                sink++;
            }
        }
        for (int at = 0; at < EVEN; at++) {
            sink += new EvenException().getStackTrace().length;
        }
    }

    /** Catches the exceptions of calls that take about as long as the clock's steps. */
    static void shortExceptions() {
        for (int at = 0; at < LIGHT; at++) {
            try {
                throwLight();
            } catch (LightException e) {
                sink++;
            }
        }
    }

    static void throwLight() {
        throw new LightException();
    }

    /** Allocates an array of so many bytes. */
    static void allocate() {
        kept = new byte[BYTES];
        kept = null;
    }

    static void error() {
        sink += new AssertionError("expected").getMessage().length();
    }

    /** A socket whose other end writes a byte after a while. */
    static Socket lateSocket() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
            Socket other = server.accept();
            later(() -> {
                try (Socket closed = other; OutputStream out = closed.getOutputStream()) {
                    out.write(1);
                }
            });
            return socket;
        }
    }

    interface Action {
        void run() throws Exception;
    }

    static void later(Action action) {
        Thread thread = new Thread(() -> {
            try {
                Thread.sleep(MILLIS);
                action.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
    }
}
