package samples;

import java.util.ArrayList;
import java.util.List;

/** Constructors that end before, in, and after the call of another constructor. */
public final class Constructors {
    static final class Bad extends RuntimeException {
        private static final long serialVersionUID = 1;

        Bad() { // calls(50)
            super("bad");
        }
    }

    public static void main(String[] args) { // calls(1)
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += new Derived(1).x + new Derived().x + new Derived("5").x;
            Expect.thrown(Bad.class, () -> new Derived(13));
            Expect.thrown(Bad.class, () -> new Derived(-1));
            Expect.thrown(Bad.class, () -> new Derived(7));
            Expect.thrown(NumberFormatException.class, () -> new Derived("x"));
            Expect.thrown(Bad.class, () -> new Derived("-1"));
            Expect.thrown(Bad.class, () -> new Field(true));
            sum += new Field(false).list.size() + new Arguments(i).x + new Catches(i).x;
            sum += new Constructors().new Inner(i).new Innermost().x + anonymous(i).x;
        }
        System.out.println("constructors " + sum);
    }

    static class Base {
        final int x;

        Base(int x) { // calls(95) throws(20)
            if (x < 0) {
                throw new Bad();
            }
            this.x = x;
        }
    }

    static int check(int x) { // calls(80) throws(10)
        if (x == 13) {
            throw new Bad();
        }
        return x;
    }

    static final class Derived extends Base {
        Derived() { // calls(10) desc(()V)
            this(1);
        }

        /** Fails in its argument (13), in the superclass (-1), and in its own body (7). */
        Derived(int x) { // calls(70) throws(20) inferred(20) desc((I)V)
            super(check(x));
            if (x == 7) {
                throw new Bad();
            }
        }

        /** Fails in its argument ("x"), and in what this(int) calls ("-1"). */
        Derived(String x) { // calls(30) throws(10) inferred(10) desc((Ljava/lang/String;)V)
            this(Integer.parseInt(x));
        }
    }

    /** A field initializer and an initializer block that fail belong to the body. */
    static final class Field {
        final List<String> list = make();

        {
            list.add("block");
        }

        Field(boolean fails) { // calls(20) throws(10)
            if (fails) {
                throw new Bad();
            }
        }

        private static List<String> make() { // calls(20)
            return new ArrayList<>();
        }
    }

    /** Objects are made, and branches taken, before the superclass's constructor runs. */
    static final class Arguments extends Base {
        Arguments(int x) { // calls(10)
            super(x % 2 == 0
                    ? new Derived2(new int[] {x, 1}).x
                    : new StringBuilder("ab").append(new Object() == null).length());
        }
    }

    static final class Derived2 extends Base {
        Derived2(int[] x) { // calls(5)
            super(x[0] + x[1]);
        }
    }

    static final class Catches extends Base {
        Catches(int x) { // calls(10) caught(10)
            super(x);
            try {
                throw new IllegalStateException();
            } catch (IllegalStateException e) {
                check(0);
            }
        }
    }

    final class Inner {
        final int x;

        Inner(int x) { // calls(10)
            this.x = x;
        }

        final class Innermost {
            final int x = Inner.this.x;

            Innermost() { // calls(10)
                Expect.that(x >= 0, "captured before use");
            }
        }
    }

    static Base anonymous(int i) { // calls(10)
        return new Base(i) {
            final int captured = i;

            @Override
            public String toString() {
                return "anonymous " + captured;
            }
        };
    }

    private Constructors() {}
}
