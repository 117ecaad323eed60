package grow;

import java.util.List;
import java.util.function.IntSupplier;

public final class Grow {
    public static int root(Shape shape) {
        return measure(shape) + later();
    }

    static int measure(Shape shape) {
        return shape.area();
    }

    static int later() {
        return Other.make().area();
    }

    static int lambda() {
        return use(() -> target());
    }

    static int use(IntSupplier supplier) {
        return supplier.getAsInt();
    }

    static int target() {
        return 5;
    }

    static void sort(List<Item> items) {
        items.sort(null);
    }

    static void spawn() {
        new Worker().start();
    }

    static void work() {}

    static void reflected() {
        work();
    }
}

interface Shape {
    int area();
}

class Square implements Shape {
    static int side = size();

    static int size() {
        return 2;
    }

    @Override
    public int area() {
        return side * side;
    }
}

class Circle implements Shape {
    @Override
    public int area() {
        return radius() * 3;
    }

    private int radius() {
        return twice(1);
    }

    private static int twice(int n) {
        return 2 * n;
    }
}

class Disc extends Circle {
    @Override
    public int area() {
        return 7;
    }
}

class Other {
    static Shape make() {
        return new Square();
    }

    static int unasked() {
        return Circle.class.getModifiers();
    }
}

class Item implements Comparable<Item> {
    @Override
    public int compareTo(Item other) {
        return 0;
    }
}

class Worker extends Thread {
    @Override
    public void run() {
        Grow.work();
    }
}

class Plugin {
    static int loaded = 1;

    Plugin() {
        Grow.work();
    }
}
