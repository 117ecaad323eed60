package demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * A market hall that settles orders: the program behind {@code jfathom demo}. Small, deterministic,
 * and made so that its call tree is worth a look: layers, recursion, a method that throws, lambdas,
 * and two threads.
 */
public final class Market {
    private static final int ORDERS = 4_000;

    public static void main(String[] args) throws InterruptedException {
        List<String> lines = new Ledger(20_260_601).lines(ORDERS);
        Hall north = new Hall("north", lines.subList(0, ORDERS / 2));
        Hall south = new Hall("south", lines.subList(ORDERS / 2, ORDERS));
        north.start();
        south.start();
        north.join();
        south.join();
        System.out.println(new Report(north, south).text());
    }

    /** Makes the order lines; every 50th is broken. */
    static final class Ledger {
        private static final String[] GOODS = {
            "apples", "bread", "cheese", "dates", "eggs", "figs"
        };
        private long state;

        Ledger(long seed) {
            state = seed;
        }

        List<String> lines(int count) {
            List<String> lines = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                lines.add(i % 50 == 49 ? "illegible" : line());
            }
            return lines;
        }

        private String line() {
            return GOODS[next(GOODS.length)] + " " + (1 + next(40)) + " x " + (5 + next(300));
        }

        private int next(int bound) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (int) ((state >>> 33) % bound);
        }
    }

    /** One order. */
    record Order(String goods, int pieces, int cents) {
        static Order parse(String line) throws IllegibleOrder {
            String[] words = line.split(" ");
            if (words.length != 4) {
                throw new IllegibleOrder(line);
            }
            return new Order(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[3]));
        }

        long gross() {
            return (long) pieces * cents;
        }
    }

    /** A line that is no order. */
    static final class IllegibleOrder extends Exception {
        private static final long serialVersionUID = 1;

        IllegibleOrder(String line) {
            super("cannot read: " + line);
        }
    }

    /** A rule for discounts: a small tree that is walked for every order. */
    interface Rule {
        long apply(Order order, long cents);

        static Rule atLeast(int pieces, Rule then, Rule otherwise) {
            return (order, cents) -> order.pieces() >= pieces
                    ? then.apply(order, cents)
                    : otherwise.apply(order, cents);
        }

        static Rule percent(int off) {
            return (order, cents) -> cents * (100 - off) / 100;
        }

        static Rule house() {
            return atLeast(10, atLeast(20, atLeast(30, percent(12), percent(8)), percent(5)),
                    percent(0));
        }
    }

    /** One hall, settling its orders on its own thread. */
    static final class Hall extends Thread {
        private final List<String> lines;
        private final Rule rule = Rule.house();
        private final TreeMap<String, Long> takings = new TreeMap<>();
        private final List<Order> largest = new ArrayList<>();
        private int refused;

        Hall(String name, List<String> lines) {
            super(name);
            this.lines = lines;
        }

        @Override
        public void run() {
            for (String line : lines) {
                settle(line);
            }
            largest.sort(Comparator.comparingLong(Order::gross).reversed()
                    .thenComparing(Order::goods));
        }

        private void settle(String line) {
            try {
                Order order = Order.parse(line);
                book(order, price(order));
            } catch (IllegibleOrder illegible) {
                refused++;
            }
        }

        private long price(Order order) {
            return withTax(rule.apply(order, order.gross()));
        }

        private long withTax(long cents) {
            return cents + cents * 7 / 100;
        }

        private void book(Order order, long cents) {
            takings.merge(order.goods(), cents, Long::sum);
            largest.add(order);
            if (largest.size() > 64) {
                largest.sort(Comparator.comparingLong(Order::gross).reversed());
                largest.subList(32, largest.size()).clear();
            }
        }
    }

    /** The day's result. */
    record Report(Hall north, Hall south) {
        String text() {
            TreeMap<String, Long> all = new TreeMap<>(north.takings);
            south.takings.forEach((goods, cents) -> all.merge(goods, cents, Long::sum));
            StringBuilder text = new StringBuilder("market closed:");
            all.forEach((goods, cents) -> text.append(' ').append(goods).append('=').append(cents));
            return text.append(", refused ").append(north.refused + south.refused)
                    .append(", proof ")
                    .append(Integer.toHexString(proof(all.values().iterator().next())))
                    .toString();
        }

        /** A recursive digest, so that the tree has some depth. */
        private int proof(long value) {
            return value == 0 ? 17 : 31 * proof(value / 10) + (int) (value % 10);
        }
    }

    private Market() {}
}
