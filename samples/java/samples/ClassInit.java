package samples;

/** Class initializers: in order, of interfaces, failing, and raced for by two threads. */
public final class ClassInit {
    private static int clock;

    public static void main(String[] args) throws InterruptedException { // calls(1)
        int sum = Fine.VALUE.length() + Child.second + new Implements().when()
                + Ring.A.next().ordinal();
        Expect.thrown(ExceptionInInitializerError.class, Fails::touch);
        for (int i = 0; i < 3; i++) {
            Expect.thrown(NoClassDefFoundError.class, Fails::touch);
        }
        Thread[] racers = new Thread[4];
        for (int i = 0; i < racers.length; i++) {
            racers[i] = new Thread(Raced::touch);
            racers[i].start();
        }
        for (Thread racer : racers) {
            racer.join();
        }
        sum += Raced.touched + (Constant.ONE == 1 ? 1 : 0);
        System.out.println("class init " + sum);
    }

    static int tick() { // calls(6)
        return ++clock;
    }

    static final class Fine {
        static final String VALUE;

        static { // calls(1)
            VALUE = "v" + tick();
        }
    }

    static class Parent {
        static int first = tick();

        static { // calls(1)
            tick();
        }
    }

    static final class Child extends Parent {
        static int second = tick();

        static { // calls(1)
            second += first;
        }
    }

    interface WithDefault {
        int WHEN = tick(); // calls(1) as(<clinit>)

        default int when() { // calls(1)
            return WHEN;
        }
    }

    static final class Implements implements WithDefault {}

    enum Ring {
        A, B;

        private static final Ring[] ALL = values();

        static { // calls(1)
            Expect.that(ALL.length == 2, "values");
        }

        Ring next() { // calls(1)
            return ALL[(ordinal() + 1) % ALL.length];
        }
    }

    static final class Fails {
        static { // calls(1) throws(1)
            if (clock > 0) {
                throw new IllegalStateException("as planned");
            }
        }

        static void touch() {} // calls(0)
    }

    static final class Raced {
        static int touched;

        static { // calls(1)
            tick();
        }

        static synchronized void touch() { // calls(4)
            touched++;
        }
    }

    /** A constant is inlined: this class is never initialized. */
    static final class Constant {
        static final int ONE = 1;

        static { // calls(0)
            tick();
        }
    }

    private ClassInit() {}
}
