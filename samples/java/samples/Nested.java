package samples;

import java.util.function.IntSupplier;

/** Inner, local and anonymous classes, records, enums, and switches over strings and enums. */
public final class Nested {
    private int secret = 1;

    final class Inner {
        private int own = 2;

        int sum() { // calls(10)
            return secret + own + Nested.this.read();
        }
    }

    private int read() { // calls(10)
        return secret;
    }

    record Point(int x, int y) {
        Point { // calls(20) throws(10) as(<init>)
            if (x < 0) {
                throw new IllegalArgumentException();
            }
        }
        // calls(20) as(x)

        static Point origin() { // calls(10)
            return new Point(0, 0);
        }
    }

    enum Op {
        ADD {
            @Override
            int apply(int a, int b) { // calls(10) as(Nested$Op$1::apply)
                return a + b;
            }
        },
        MUL {
            @Override
            int apply(int a, int b) { // calls(10) as(Nested$Op$2::apply)
                return a * b;
            }
        };

        abstract int apply(int a, int b);
    }

    static int onString(String s) { // calls(30)
        switch (s) {
            case "Aa":
                return 1;
            case "BB": // the same hash as "Aa"
                return 2;
            default:
                return 3;
        }
    }

    static int onEnum(Op op) { // calls(20)
        return switch (op) {
            case ADD -> 1;
            case MUL -> {
                int x = op.ordinal();
                yield x + 1;
            }
        };
    }

    static int local(int i) { // calls(10)
        class Local {
            int get() { // calls(10) as(Nested$1Local::get)
                return i;
            }
        }
        return new Local().get();
    }

    static IntSupplier anonymous(int i) { // calls(10)
        return new IntSupplier() {
            @Override
            public int getAsInt() { // calls(10) as(Nested$1::getAsInt)
                return i;
            }
        };
    }

    static String matched(Object o) { // calls(20)
        return o instanceof Integer i && i > 3 ? "large" : "other";
    }

    public static void main(String[] args) { // calls(1)
        int sum = 0;
        Nested nested = new Nested();
        for (int i = 0; i < 10; i++) {
            sum += nested.new Inner().sum() + local(i) + anonymous(i).getAsInt();
            Point origin = Point.origin();
            sum += origin.x() + origin.x() + origin.hashCode() + origin.toString().length()
                    + (origin.equals(null) ? 1 : 0);
            int negative = -1 - i;
            Expect.thrown(IllegalArgumentException.class, () -> new Point(negative, 0));
            for (Op op : Op.values()) {
                sum += op.apply(i, 2) + onEnum(op);
            }
            sum += onString("Aa") + onString("BB") + onString("C") + matched(i).length()
                    + matched("s").length();
        }
        System.out.println("nested " + sum);
    }
}
