package shop;

public final class Shop {
    interface Item {
        int price();
    }

    static class Book implements Item {
        static int made;

        static {
            made = 1;
        }

        @Override
        public int price() {
            return made;
        }
    }

    static class Toy implements Item {
        @Override
        public int price() {
            return 2;
        }
    }

    public static void main(String[] args) {
        Item item = new Book();
        Runnable check = () -> even(sum(item));
        check.run();
        sum(item);
        new Shop().greet("x");
    }

    static int sum(Item item) {
        return item.price();
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    String greet(String name) {
        return name.trim();
    }

    static Item toy() {
        return new Toy();
    }

    static void needsAbsent() {
        Absent absent = new Absent();
        absent.call();
    }

    static Object make(Class<?> type) throws Exception {
        return type.getDeclaredConstructor().newInstance();
    }

    static void constants() throws Exception {
        make(Toy.class);
        String name = "shop.Shop$Book";
        name.trim();
    }

    static native void low();
}

class Absent {
    void call() {}
}
