package regions;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Every way into a region and out of it. A region NAME is the lines between {@code // region NAME}
 * and {@code // end NAME}. The program counts the passes of each, and those that end with an
 * exception, and prints them.
 */
public final class Regions {
    private static final Map<String, int[]> PASSES = new TreeMap<>();
    private static int sum;

    private static int pass(String name) {
        PASSES.computeIfAbsent(name, unused -> new int[2])[0]++;
        return 0;
    }

    private static void thrown(String name) {
        PASSES.get(name)[1]++;
    }

    static int work(int n) {
        sum = sum * 31 + n;
        return n + 1;
    }

    static int fails(int n) {
        if (n % 3 == 0) throw new IllegalStateException("n" + n);
        return work(n);
    }

    /** One iteration is one pass, however it ends. */
    static void loops() {
        outer:
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                // region loop
                pass("loop");
                if (j == i) continue;
                if (j == 7) continue outer;
                if (i == 8) break outer;
                work(j);
                // end loop
            }
        }
    }

    /** The loop as a whole is one pass. */
    static void whole() {
        // region whole
        int i = pass("whole");
        while (true) {
            if (i++ > 20) break;
            work(i);
        }
        // end whole
        work(i);
    }

    static int returns(int n) {
        work(n);
        // region returns
        pass("returns");
        if (n == 1) return 10;
        if (n == 2) {
            return work(n);
        }
        int x = n * 2;
        // end returns
        return x;
    }

    static int arms(int n) {
        int x = 0;
        switch (n) {
            case 0:
                x = work(7);
            // region arms
            case 1:
                pass("arms");
                x += 5;
                break;
            case 2:
                pass("arms");
                x += 6;
            // end arms
            case 3:
                x += 7;
                break;
            case 4:
                return -1;
            default:
                x--;
        }
        return x;
    }

    static int caughtOutside(int n) {
        int x = 0;
        try {
            x++;
            // region caughtOutside
            pass("caughtOutside");
            x += fails(n);
            x += 2;
            // end caughtOutside
            x += 3;
        } catch (IllegalStateException e) {
            thrown("caughtOutside");
            x = -1;
        } finally {
            x += work(x);
        }
        return x;
    }

    static int caughtInside(int n) {
        // region caughtInside
        int x = pass("caughtInside");
        try {
            x += fails(n);
        } catch (IllegalStateException e) {
            x = work(-1);
        }
        // end caughtInside
        return x;
    }

    /** The handler is a region, entered by exceptions alone. */
    static int handler(int n) {
        int x;
        try {
            x = fails(n);
        } catch (IllegalStateException e) {
            // region handler
            pass("handler");
            x = work(4);
            // end handler
        }
        return x;
    }

    static int through(int n) {
        int x = 1;
        // region through
        pass("through");
        x += fails(n);
        // end through
        return x;
    }

    static int finals(int n) {
        int x = 0;
        for (int i = 0; i < 4; i++) {
            // region finals
            pass("finals");
            try {
                if (i == n) continue;
                if (i == 3) return x;
                x += work(i);
            } finally {
                x++;
            }
            // end finals
        }
        return x;
    }

    static int nested(int n) {
        // region outer
        pass("outer");
        int x = work(n);
        for (int i = 0; i < n; i++) {
            // region inner
            pass("inner");
            x += work(i);
            if (i == 3) return x;
            // end inner
        }
        x++;
        // end outer
        return x;
    }

    static int body(int n) {
        // region body
        pass("body");
        return work(n);
        // end body
    }

    static int line(int n) {
        int x = n;
        // region line
        x += pass("line") + work(n) + (n > 2 ? work(1) : n);
        // end line
        return x;
    }

    static int lambdas(int n) {
        IntUnaryOperator twice = value -> {
            int x = value;
            // region lambda
            pass("lambda");
            x = work(x);
            // end lambda
            return x;
        };
        return twice.applyAsInt(twice.applyAsInt(n));
    }

    static class Base {
        final int n;

        Base(int n) {
            this.n = work(n);
        }
    }

    static final class Made extends Base {
        int m;

        Made(int n) {
            super(n == 0
                // region beforeSuper
                ? pass("beforeSuper")
                // end beforeSuper
                : work(n));
            // region afterSuper
            pass("afterSuper");
            m = fails(n + 3);
            // end afterSuper
            work(m);
        }
    }

    /** The region has the call of {@code super()} inside. */
    static final class Around extends Base {
        Around(int n) {
            // region around
            super(pass("around") + n);
            work(n);
            // end around
        }
    }

    static int locks(Object lock, int n) {
        int x = 0;
        synchronized (lock) {
            x++;
            // region locks
            pass("locks");
            x += fails(n);
            // end locks
            x--;
        }
        return x;
    }

    static int recursion(int n) {
        int x = 0;
        // region recursion
        pass("recursion");
        if (n > 0) x = recursion(n - 1);
        // end recursion
        return work(x);
    }

    private static void tried(String name, Runnable call) {
        try {
            call.run();
        } catch (IllegalStateException e) {
            thrown(name);
        }
    }

    static void run() {
        loops();
        whole();
        Object lock = new Object();
        for (int n = 0; n < 6; n++) {
            int at = n;
            returns(n);
            arms(n);
            caughtOutside(n);
            caughtInside(n);
            handler(n);
            tried("through", () -> through(at));
            finals(n);
            nested(n);
            body(n);
            line(n);
            lambdas(n);
            tried("afterSuper", () -> new Made(at));
            new Around(n);
            tried("locks", () -> locks(lock, at));
            recursion(n);
        }
    }

    public static void main(String[] args) {
        run();
        PASSES.forEach((name, n) -> System.out.println(name + " " + n[0] + " " + n[1]));
        System.out.println("sum " + sum);
    }
}
