package reach;

import java.util.HashSet;
import java.util.Set;

/** Records, whose own methods call those of their components, and switches. */
public final class Records {
    record Point(Coordinate x, Coordinate y) {
        Point {
            check(x);
        }

        static Point origin() {
            return new Point(new Coordinate(0), new Coordinate(0));
        }

        @Override
        public Coordinate y() {
            return y;
        }

        private static void check(Coordinate coordinate) {
            if (coordinate == null) {
                throw new IllegalArgumentException();
            }
        }
    }

    static final class Coordinate {
        private final int value;

        Coordinate(int value) {
            this.value = value;
        }

        @Override
        public int hashCode() {
            return value;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Coordinate that && same(that);
        }

        private boolean same(Coordinate that) {
            return value == that.value;
        }

        @Override
        public String toString() {
            return "at " + value;
        }
    }

    sealed interface Shape permits Circle, Square {
        double area();
    }

    record Circle(double radius) implements Shape {
        @Override
        public double area() {
            return 3 * radius * radius;
        }
    }

    record Square(double side) implements Shape {
        @Override
        public double area() {
            return side * side;
        }
    }

    public static void main(String[] args) {
        Set<Point> points = new HashSet<>(Set.of(Point.origin()));
        System.out.println(points.add(Point.origin()) + " " + points + " " + Point.origin().y());
        for (Shape shape : new Shape[] {new Circle(1), new Square(2)}) {
            System.out.println(shape.area() + " " + shape + " " + kind(shape));
        }
        System.out.println(number("two"));
    }

    private static String kind(Shape shape) {
        return shape instanceof Circle circle ? round(circle.radius()) : "square";
    }

    private static String round(double radius) {
        return "round " + radius;
    }

    private static int number(String word) {
        return switch (word) {
            case "one" -> 1;
            case "two" -> two();
            default -> 0;
        };
    }

    private static int two() {
        return 2;
    }
}
