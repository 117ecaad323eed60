package samples;

import java.io.IOException;

/** Every way in which a method can end. */
public final class Exits {
    private static final int TIMES = 10;
    private static Object nothing;

    static final class Own extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    public static void main(String[] args) { // calls(1)
        long sum = 0;
        for (int i = 0; i < TIMES; i++) {
            sum += ints(i) + longs(i) + (long) floats(i) + (long) doubles(i) + refs(i).length()
                    + manyReturns(i);
            nothing(i);
            sum += catchesOwn() + catchesDeep() + finallyReturns(i) + catchesInLoop()
                    + outerCatches() + closes();
            throwing();
        }
        System.out.println("exits " + sum);
    }

    private static void throwing() { // calls(10)
        Expect.thrown(Own.class, Exits::throwsOwn);
        Expect.thrown(Own.class, Exits::propagates);
        Expect.thrown(NullPointerException.class, Exits::implicitNull);
        Expect.thrown(ArrayIndexOutOfBoundsException.class, Exits::implicitIndex);
        Expect.thrown(ArithmeticException.class, Exits::implicitDivide);
        Expect.thrown(ClassCastException.class, Exits::implicitCast);
        Expect.thrown(NegativeArraySizeException.class, Exits::implicitNegative);
        Expect.thrown(ArrayStoreException.class, Exits::implicitStore);
        Expect.thrown(IllegalMonitorStateException.class, Exits::fromNative);
        Expect.thrown(Own.class, Exits::finallyRethrows);
        Expect.thrown(IllegalStateException.class, Exits::throwsInHandler);
        Expect.thrown(Own.class, Exits::rethrowsSame);
        Expect.thrown(Own.class, Exits::syncThrows);
        Expect.thrown(Own.class, Exits::syncBlockThrows);
        Expect.thrown(ClassNotFoundException.class, Exits::fromReflection);
        Expect.thrown(IOException.class, Exits::closeThrows);
    }

    static int ints(int i) { // calls(10)
        return i;
    }

    static long longs(int i) { // calls(10)
        return i;
    }

    static float floats(int i) { // calls(10)
        return i;
    }

    static double doubles(int i) { // calls(10)
        return i;
    }

    static String refs(int i) { // calls(10)
        return "r" + i;
    }

    static void nothing(int i) {} // calls(10)

    static int manyReturns(int i) { // calls(10)
        switch (i % 4) {
            case 0:
                return 10;
            case 1:
                return 20;
            default:
                if (i > 6) {
                    return 30;
                }
        }
        return 40;
    }

    static void throwsOwn() { // calls(60) throws(60)
        throw new Own();
    }

    static void propagates() { // calls(10) throws(10)
        throwsOwn();
    }

    static void implicitNull() { // calls(10) throws(10)
        nothing.hashCode();
    }

    static void implicitIndex() { // calls(10) throws(10)
        int[] a = new int[1];
        a[TIMES] = 1;
    }

    static void implicitDivide() { // calls(10) throws(10)
        nothing(TIMES / ints0());
    }

    private static int ints0() {
        return 0;
    }

    static void implicitCast() { // calls(10) throws(10)
        Object o = "s";
        refs((Integer) o);
    }

    static void implicitNegative() { // calls(10) throws(10)
        nothing = new int[-TIMES];
    }

    static void implicitStore() { // calls(10) throws(10)
        Object[] a = new String[1];
        a[0] = TIMES;
    }

    static void fromNative() { // calls(10) throws(10)
        new Object().notify();
    }

    static void fromReflection() throws ClassNotFoundException { // calls(10) throws(10)
        Class.forName("samples.no.such.Thing");
    }

    static int catchesOwn() { // calls(10) caught(10)
        try {
            throw new Own();
        } catch (Own e) {
            return 1;
        }
    }

    static int catchesDeep() { // calls(10) caught(10)
        try {
            deep(5);
            return 0;
        } catch (Own e) {
            return 2;
        }
    }

    static void deep(int depth) { // calls(60) throws(60)
        if (depth == 0) {
            throw new Own();
        }
        deep(depth - 1);
    }

    @SuppressWarnings("finally")
    static int finallyReturns(int i) { // calls(10)
        try {
            if (i % 2 == 0) {
                throw new Own();
            }
            return 1;
        } finally {
            return 3;
        }
    }

    static int catchesInLoop() { // calls(10) caught(50)
        int caught = 0;
        for (int i = 0; i < 10; i++) {
            try {
                caught += i % 2 == 0 ? odd(i) : i;
            } catch (Own e) {
                caught++;
            }
        }
        return caught;
    }

    static int odd(int i) { // calls(50) throws(50)
        if (i % 2 == 0) {
            throw new Own();
        }
        return i;
    }

    static int outerCatches() { // calls(10) caught(10)
        try {
            try {
                throw new Own();
            } catch (IllegalStateException e) {
                return 0;
            }
        } catch (Own e) {
            return 4;
        }
    }

    static final class Resource implements AutoCloseable {
        private final boolean fails;

        Resource(boolean fails) { // calls(20)
            this.fails = fails;
        }

        @Override
        public void close() throws IOException { // calls(20) throws(10)
            if (fails) {
                throw new IOException("close");
            }
        }
    }

    static int closes() { // calls(10)
        try (Resource resource = new Resource(false)) {
            return resource.fails ? 1 : 5;
        } catch (IOException e) {
            return 0;
        }
    }

    static void closeThrows() throws IOException { // calls(10) throws(10)
        try (Resource resource = new Resource(true)) {
            nothing = resource;
        } finally {
            nothing = null;
        }
    }

    static void finallyRethrows() { // calls(10) throws(10)
        try {
            throwsOwn();
        } finally {
            nothing = null;
        }
    }

    static void throwsInHandler() { // calls(10) throws(10) caught(10)
        try {
            throwsOwn();
        } catch (Own e) {
            throw new IllegalStateException(e);
        }
    }

    static void rethrowsSame() { // calls(10) throws(10) caught(10)
        try {
            throwsOwn();
        } catch (Own e) {
            throw e;
        }
    }

    static synchronized void syncThrows() { // calls(10) throws(10)
        throw new Own();
    }

    static void syncBlockThrows() { // calls(10) throws(10)
        synchronized (Exits.class) {
            throwsOwn();
        }
    }

    private Exits() {}
}
