package allocations;

/**
 * Methods that allocate, each called by `root`. Every object escapes, so that no compiler takes its
 * allocation away.
 *
 * <p>A class without texts: when the JVM compiles a method, it makes those of its class, and the
 * method's thread allocates them.
 */
final class Work {
    static final int NOTHING = 7;
    static final int SHARED = 8;

    private static final int SMALL = 3_000;

    static volatile Object sink;

    static void root(int method) {
        switch (method) {
            case 0:
                small();
                break;
            case 1:
                large();
                break;
            case 2:
                nested();
                break;
            case 3:
                thrown();
                break;
            case 4:
                collected();
                break;
            case 5:
                random();
                break;
            case 6:
                counting();
                break;
            case NOTHING:
                nothing();
                break;
            default:
                shared();
        }
    }

    /** Many small objects, which are in the thread's buffer. */
    static void small() {
        for (int i = 0; i < SMALL; i++) sink = new byte[i & 63];
    }

    /** Objects that no thread's buffer has room for. */
    static void large() {
        for (int i = 0; i < 3; i++) sink = new byte[(4 << 20) + i];
    }

    /** Bytes of its own before, between and after those of its callees. */
    static void nested() {
        sink = new byte[100];
        for (int i = 0; i < 50; i++) {
            inner(i);
            sink = new byte[300];
        }
        sink = new byte[700];
    }

    static void inner(int i) {
        sink = new long[i];
        if (i % 7 == 0) inner(i + 1);
    }

    /** Exceptions out of methods that have allocated. */
    static void thrown() {
        for (int i = 0; i < 200; i++) {
            try {
                thrower(i);
            } catch (IllegalStateException e) {
                sink = new byte[20];
            }
        }
    }

    static void thrower(int i) {
        sink = new byte[i];
        if (i % 2 == 0) throw new IllegalStateException();
        deeper(i);
    }

    static void deeper(int i) {
        sink = new byte[i + 1];
        throw new IllegalStateException();
    }

    /** The collector takes the thread's buffer back between its objects. */
    static void collected() {
        for (int i = 0; i < 3; i++) {
            sink = new byte[1_000];
            System.gc();
            inner(5);
            sink = new byte[2_000];
        }
    }

    /** Sizes from one word to a part of a megabyte, in no order. */
    static void random() {
        java.util.Random random = new java.util.Random(42);
        for (int i = 0; i < 4_000; i++) {
            int size = random.nextInt(100) == 0 ? 200_000 : random.nextInt(2_000);
            sized(size);
        }
    }

    static void sized(int size) {
        sink = new byte[size];
    }

    /** Calls of a method that is only counted: its bytes are its caller's. */
    static void counting() {
        for (int i = 0; i < SMALL; i++) sink = get();
    }

    private static Object get() {
        return new int[3];
    }

    static void nothing() {
        int sum = 0;
        for (int i = 0; i < SMALL; i++) sum += plain(i);
        if (sum == 5) sink = null;
    }

    static int plain(int i) {
        return i * 31 ^ i;
    }

    /** In several threads at once. */
    static void shared() {
        for (int i = 0; i < 100; i++) {
            inner(i % 10);
            sink = new byte[4_000];
        }
    }

    private Work() {}
}
