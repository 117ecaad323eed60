package reach;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Lambda bodies and every kind of method reference. */
public final class Lambdas {
    interface Chain extends Function<String, Integer> {
        default Chain twice() {
            return word -> apply(word) + apply(word);
        }
    }

    interface Generic<T extends Comparable<T>> {
        T pick(T a, T b);
    }

    static class Base {
        String name() {
            return "base";
        }
    }

    static class Derived extends Base {
        @Override
        String name() {
            Supplier<String> above = super::name;
            return "derived of " + above.get();
        }
    }

    static class Made {
        final int size;

        Made() {
            this(0);
        }

        Made(int size) {
            this.size = size;
        }

        int plus(int more) {
            return size + more;
        }

        private int hidden() {
            return size;
        }

        static int total(Object... all) {
            return all.length;
        }
    }

    private static Consumer<String> kept;
    private static Runnable never;

    public static void main(String[] args) {
        Supplier<Made> maker = Made::new;
        IntFunction<Made> sized = Made::new;
        IntFunction<Made[]> array = Made[]::new;
        BiFunction<Made, Integer, Integer> unbound = Made::plus;
        Function<Integer, Integer> bound = sized.apply(3)::plus;
        Function<Made, Integer> getter = Made::hidden;
        BiFunction<Object, Object, Integer> spread = Made::total;
        int sum = maker.get().size + array.apply(2).length + unbound.apply(sized.apply(1), 2)
                + bound.apply(4);
        sum += getter.apply(sized.apply(5)) + spread.apply(1, 2);
        Chain length = String::length;
        sum += length.twice().apply("word");
        Generic<Integer> larger = (a, b) -> a.compareTo(b) > 0 ? a : b;
        sum += larger.pick(1, 2);
        Supplier<Supplier<Integer>> nested = () -> () -> deep(7);
        sum += nested.get().get();
        kept = Lambdas::keep;
        List.of("a", "b").forEach(kept);
        Predicate<String> empty = String::isEmpty;
        Predicate<String> both = empty.negate().and(word -> word.length() < 9);
        UnaryOperator<String> twice = word -> word + word;
        Comparator<String> order =
                Comparator.comparing(Lambdas::weight).reversed().thenComparing(twice);
        never = () -> neverRun();
        System.out.println(sum + " " + both.test("x") + " " + order.compare("a", "b") + " "
                + new Derived().name());
    }

    private static int deep(int value) {
        return value;
    }

    private static void keep(String word) {
        System.out.println(word);
    }

    private static int weight(String word) {
        return word.length();
    }

    private static void neverRun() {
        never.run();
    }
}
