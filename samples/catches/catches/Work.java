package catches;

import java.io.FileNotFoundException;
import java.io.IOException;

/** Methods that catch known numbers of exceptions. */
final class Work {
    static volatile Object sink;
    static volatile int number;

    static final class Light extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Light() {
            super(null, null, false, false);
        }
    }

    private Work() {}

    /** Of the class that the handler names, and of a class below it. */
    static void named(int times) {
        for (int at = 0; at < times; at++) {
            try {
                fail(at);
            } catch (IOException e) {
                sink = e;
            }
        }
        Main.say("named", IOException.class, times - times / 2);
        Main.say("named", FileNotFoundException.class, times / 2);
    }

    static void fail(int at) throws IOException {
        if (at % 2 == 1) throw new FileNotFoundException();
        throw new IOException();
    }

    /** One method catches on two call paths: the test knows how often on each. */
    static void byPaths() {
        oneWay();
        otherWay();
        Main.say("catcher", Light.class, 15);
        Main.say("catcher", IllegalStateException.class, 5);
    }

    static void oneWay() {
        for (int at = 0; at < 5; at++) catcher(new Light());
        for (int at = 0; at < 5; at++) catcher(new IllegalStateException());
    }

    static void otherWay() {
        for (int at = 0; at < 10; at++) catcher(new Light());
    }

    static void catcher(RuntimeException exception) {
        try {
            thrower(exception);
        } catch (RuntimeException e) {
            sink = e;
        }
    }

    static void thrower(RuntimeException exception) {
        throw exception;
    }

    /** A handler of several classes, and one of all. */
    static void joined(int times) {
        for (int at = 0; at < times; at++) {
            try {
                if (at % 4 == 0) throw new ArithmeticException();
                if (at % 4 == 1) throw new IllegalArgumentException();
                if (at % 4 == 2) throw new IllegalStateException();
                number++;
            } catch (ArithmeticException | IllegalArgumentException e) {
                sink = e;
            } catch (Throwable e) {
                sink = e;
            }
        }
        Main.say("joined", ArithmeticException.class, times / 4);
        Main.say("joined", IllegalArgumentException.class, times / 4);
        Main.say("joined", IllegalStateException.class, times / 4);
    }

    /** So often that the JVM throws exceptions that it has prepared. */
    static void ofTheJvm(int times) {
        int[] none = times < 0 ? new int[1] : null;
        for (int at = 0; at < times; at++) {
            try {
                number = none[at];
            } catch (NullPointerException e) {
                number++;
            }
        }
        Main.say("ofTheJvm", NullPointerException.class, times);
    }

    /** Each call but the innermost catches what the one below throws. */
    static void recursive(int depth) {
        throwAt(depth, depth);
        Main.say("throwAt", Light.class, depth);
    }

    static void throwAt(int depth, int all) {
        if (depth == 0) throw new Light();
        try {
            throwAt(depth - 1, all);
        } catch (Light e) {
            if (depth < all) throw new Light();
        }
    }

    /** Handlers of any exception: they catch, and name no class. */
    static void cleanups(int times) {
        for (int at = 0; at < times; at++) {
            try {
                locked();
            } catch (Light e) {
                sink = e;
            }
        }
        Main.say("cleanups", Light.class, times);
    }

    static void locked() {
        synchronized (Work.class) {
            try {
                throw new Light();
            } finally {
                number++;
            }
        }
    }

    /** Several threads catch the same new classes at once. */
    static void inThreads(int threads) throws InterruptedException {
        Thread[] all = new Thread[threads];
        for (int at = 0; at < threads; at++) {
            all[at] = new Thread(Work::many);
            all[at].start();
        }
        for (Thread thread : all) thread.join();
        for (RuntimeException exception : manyExceptions()) {
            Main.say("many", exception.getClass(), threads * 50);
        }
    }

    static void many() {
        for (int at = 0; at < 50; at++) {
            for (RuntimeException exception : manyExceptions()) {
                try {
                    thrower(exception);
                } catch (RuntimeException e) {
                    sink = e;
                }
            }
        }
    }

    static RuntimeException[] manyExceptions() {
        return new RuntimeException[] {
            new ArrayStoreException(),
            new ClassCastException(),
            new NegativeArraySizeException(),
            new UnsupportedOperationException(),
            new java.util.NoSuchElementException(),
            new java.util.ConcurrentModificationException(),
            new IndexOutOfBoundsException(),
            new NumberFormatException(),
        };
    }
}
