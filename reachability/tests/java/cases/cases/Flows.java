package cases;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;

/** Objects that cannot come to a call, although there are some; and ways on which others do. */
public final class Flows {
    private Flows() {}

    abstract static class Shape {
        abstract void draw();
    }

    static final class Circle extends Shape {
        @Override
        void draw() {
            Log.hit();
        }
    }

    static final class Square extends Shape {
        @Override
        void draw() {
            Log.hit();
        }
    }

    /** Keeps what it is given in a field. */
    static final class Holder {
        volatile Shape held;

        Shape get() {
            return held;
        }
    }

    /** Another field of the same name. */
    static final class Keeper {
        Shape held;
    }

    static Shape pass(Shape shape) {
        return shape;
    }

    static void drawIt(Shape shape) {
        shape.draw();
    }

    static void onlyPassedOn(Shape shape) {
        Log.hit();
    }

    public static void locals() {
        Shape unused = new Square();
        Shape shape = new Circle();
        shape.draw();
        onlyPassedOn(unused);
    }

    public static void parameters() {
        onlyPassedOn(new Square());
        drawIt(new Circle());
    }

    public static void results() {
        onlyPassedOn(new Square());
        pass(new Circle()).draw();
    }

    public static void fieldsOfOneName() {
        Holder holder = new Holder();
        Keeper keeper = new Keeper();
        keeper.held = new Square();
        holder.held = new Circle();
        holder.get().draw();
        onlyPassedOn(keeper.held);
    }

    public static void arrays() {
        Shape[] shapes = {new Circle()};
        Object[] same = shapes;
        onlyPassedOn(new Square());
        ((Shape) same[0]).draw();
    }

    public static void arraysOfArrays() {
        Shape[][] shapes = new Shape[1][1];
        shapes[0][0] = new Circle();
        Shape[] row = shapes[0].clone();
        row[0].draw();
    }

    public static void conditions() {
        Shape shape = Log.class.getName().isEmpty() ? null : new Circle();
        shape.draw();
        drawIt(Log.class.getName().length() > 1 ? new Circle() : null);
    }

    public static void collections() {
        List<Shape> shapes = new ArrayList<>();
        shapes.add(new Circle());
        onlyPassedOn(new Square());
        for (Shape shape : shapes) {
            shape.draw();
        }
    }

    public static void captured() {
        Shape circle = new Circle();
        onlyPassedOn(new Square());
        Supplier<Shape> supplier = () -> pass(circle);
        supplier.get().draw();
    }

    public static void constructorReference() {
        onlyPassedOn(new Square());
        Supplier<Shape> supplier = Circle::new;
        supplier.get().draw();
    }

    public static void neverThere() {
        Circle none = Log.class.getName().isEmpty() ? (Circle) pass(null) : null;
        if (none != null) {
            none.draw();
        }
        onlyPassedOn(null);
    }

    public static void updatedByReflection() {
        Holder holder = new Holder();
        AtomicReferenceFieldUpdater<Holder, Shape> updater =
            AtomicReferenceFieldUpdater.newUpdater(Holder.class, Shape.class, "held");
        updater.set(holder, new Circle());
        holder.held.draw();
    }

    static final class Bad extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Shape shape;

        Bad(Shape shape) {
            this.shape = shape;
        }

        void show() {
            Log.hit();
            shape.draw();
        }
    }

    static void fail(Shape shape) {
        throw new Bad(shape);
    }

    public static void exceptions() {
        onlyPassedOn(new Square());
        try {
            fail(new Circle());
        } catch (Bad bad) {
            bad.show();
        }
    }
}
