package samples;

import java.util.ArrayList;

/** Exceptions that pass through calls of `super()` and `this()`, and what is called after them. */
public final class ConstructorChains {
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(int x) { // calls(17)
            super(String.valueOf(x));
        }
    }

    public static void main(String[] args) { // calls(1)
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += bySuper(i) + byThis(i) + passedOn(i) + new Tries(i).x + byJdk(i)
                    + byInitializer(i);
        }
        System.out.println("constructor chains " + sum);
    }

    /** Catches by itself, and goes on with calls. */
    static int bySuper(int i) { // calls(4) caught(4)
        try {
            return new Lowest(-1 - i).x;
        } catch (Failure e) {
            return after(i) + new Lowest(i).x;
        }
    }

    static int byThis(int i) { // calls(4) caught(4)
        try {
            return new Lowest(i, true).x;
        } catch (Failure e) {
            return after(i) + new Lowest(i, false).x;
        }
    }

    static int passedOn(int i) { // calls(4) caught(4)
        try {
            return pass(i);
        } catch (Failure e) {
            return after(i);
        }
    }

    static int pass(int i) { // calls(4) throws(4)
        return new Lowest(-1 - i).x + after(i);
    }

    static int after(int i) { // calls(24)
        return i + 1;
    }

    static class Highest {
        final int x;

        Highest(int x) { // calls(28) throws(16)
            if (x < 0) {
                throw new Failure(x);
            }
            this.x = x;
        }
    }

    static class Middle extends Highest {
        Middle(int x) { // calls(24) inferred(16)
            super(x);
        }
    }

    static final class Lowest extends Middle {
        Lowest(int x) { // calls(24) inferred(16) desc((I)V)
            super(x);
        }

        Lowest(int x, boolean fails) { // calls(8) inferred(4) desc((IZ)V)
            this(fails ? -1 - x : x, "");
        }

        Lowest(int x, String why) { // calls(8) inferred(4) desc((ILjava/lang/String;)V)
            this(x + why.length());
        }
    }

    /** Catches in its own body what another constructor's chain throws. */
    static final class Tries extends Highest {
        Tries(int x) { // calls(4) caught(4)
            super(x);
            try {
                after(new Lowest(-1 - x).x);
            } catch (Failure e) {
                after(x);
            }
        }
    }

    /** The exception comes out of a constructor of the JDK. */
    static int byJdk(int i) { // calls(4) caught(4)
        try {
            return new Room(-1 - i).size();
        } catch (IllegalArgumentException e) {
            return after(i) + new Room(i).size();
        }
    }

    static final class Room extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Room(int capacity) { // calls(8) inferred(4)
            super(capacity);
        }
    }

    /**
     * The argument of `super()` needs a class that cannot be initialised: its initialiser runs
     * once.
     */
    static int byInitializer(int i) { // calls(4) caught(4)
        try {
            return new Needs(i).x;
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            return after(i);
        }
    }

    static final class Needs extends Highest {
        Needs(int x) { // calls(4) throws(4)
            super(Broken.value + x);
        }
    }

    static final class Broken {
        static int value = fail(); // calls(1) throws(1) as(<clinit>)

        static int fail() { // calls(1) throws(1)
            throw new Failure(1);
        }
    }

    private ConstructorChains() {}
}
