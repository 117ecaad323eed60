import java.util.function.IntSupplier;

/** Methods whose names say whether they are small. */
public class Small {
    static int count;
    int value;
    Small next;
    int[] array = {1, 2, 3};

    static class Point {
        static int made;
        final int x;

        /** Object's constructor does nothing. */
        Point(int x) {
            this.x = x;
        }

        Point() {
            this(7);
        }

        final int smallX() {
            return x;
        }
    }

    static int smallSum(int a, int b) {
        return a + b;
    }

    int smallGet() {
        return value;
    }

    boolean smallBranch(int a) {
        return a > 0 && value == a;
    }

    int smallIndex(int i) {
        return array[i];
    }

    static int smallCaller(int a) {
        return smallSum(a, smallSum(1, a));
    }

    private int smallOwn() {
        return value + 1;
    }

    int smallPrivate() {
        return smallOwn() + 1;
    }

    int smallOfAnother(Point point) {
        return point.x;
    }

    static String smallText() {
        return "text";
    }

    int notVirtual() {
        return smallGet();
    }

    int notInterface(IntSupplier supplier) {
        return supplier.getAsInt();
    }

    static int notLoop(int a) {
        while (a > 0) a--;
        return a;
    }

    static int notRecursive(int a) {
        return a == 0 ? 0 : notRecursive(a - 1);
    }

    static int notEven(int a) {
        return a == 0 ? 1 : notOdd(a - 1);
    }

    static int notOdd(int a) {
        return a == 0 ? 0 : notEven(a - 1);
    }

    static Object notNew() {
        return new int[1];
    }

    Object notMade() {
        return new Small();
    }

    static synchronized int notSynchronized() {
        return count;
    }

    int notLocked() {
        synchronized (this) {
            return value;
        }
    }

    static int notInitialises() {
        return Point.made;
    }

    static Class<?> notLoads() {
        return Small.class;
    }

    static Small notCast(Object object) {
        return (Small) object;
    }

    static int notCatches(int a) {
        try {
            return 1 / a;
        } catch (ArithmeticException e) {
            return 0;
        }
    }

    static RuntimeException notThrows(RuntimeException e) {
        throw e;
    }

    static int notShort(int a, int b) {
        return a * b + a * a + b * b + a / 7 + b / 9 + (a & b) + (a | b) + (a ^ b);
    }

    /** Each is short, and together they are not. */
    static int notWithCallees(int a) {
        return smallCaller(a) + smallCaller(a);
    }

    static String notJoined(int a) {
        return "a" + a;
    }
}
