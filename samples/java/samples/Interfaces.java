package samples;

/** Default, static and private interface methods, bridges, and calls of a chosen super. */
public final class Interfaces {
    interface Left {
        default String name() { // calls(20)
            return "left" + secret();
        }

        private String secret() { // calls(20)
            return helper();
        }

        private static String helper() { // calls(20)
            return "!";
        }

        static int count() { // calls(10)
            return 1;
        }
    }

    interface Right {
        default String name() { // calls(10)
            return "right";
        }
    }

    interface LeftAgain extends Left {
        @Override
        default String name() { // calls(10)
            return Left.super.name() + "again";
        }
    }

    static final class Both implements Left, Right {
        @Override
        public String name() { // calls(10)
            return Left.super.name() + Right.super.name();
        }
    }

    static final class Again implements LeftAgain {}

    abstract static class Shape<T extends Comparable<T>> {
        abstract T size();

        boolean largerThan(Shape<T> other) { // calls(10)
            return size().compareTo(other.size()) > 0;
        }

        Shape<T> self() { // calls(10)
            return this;
        }
    }

    static final class Square extends Shape<Integer> implements Comparable<Square> {
        private final int side;

        Square(int side) {
            this.side = side;
        }

        @Override
        Integer size() { // calls(40) desc(()Ljava/lang/Integer;)
            // calls(20) as(size) desc(()Ljava/lang/Comparable;)
            return side * side;
        }

        @Override
        Square self() { // calls(10) desc(()Lsamples/Interfaces$Square;)
            // calls(10) as(self) desc(()Lsamples/Interfaces$Shape;)
            super.self();
            return this;
        }

        @Override
        public int compareTo(Square other) { // calls(10) desc((Lsamples/Interfaces$Square;)I)
            // calls(10) as(compareTo) desc((Ljava/lang/Object;)I)
            return size() - other.size();
        }
    }

    static <T extends Comparable<T>> int compare(T a, T b) { // calls(10)
        return a.compareTo(b);
    }

    public static void main(String[] args) { // calls(1)
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += new Both().name().length() + new Again().name().length() + Left.count();
            Shape<Integer> shape = new Square(i);
            sum += shape.largerThan(new Square(5)) ? 1 : 0;
            sum += shape.self() == shape ? 1 : 0;
            sum += compare(new Square(i), new Square(3));
        }
        System.out.println("interfaces " + sum);
    }

    private Interfaces() {}
}
