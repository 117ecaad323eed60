package samples;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lambda bodies and method references. */
public final class Lambdas {
    interface Sorting extends Comparator<String>, Serializable {}

    private final int bias;
    private static IntUnaryOperator factorial;

    Lambdas(int bias) { // calls(11)
        this.bias = bias;
    }

    public static void main(String[] args) { // calls(1)
        int sum = 0;
        Lambdas one = new Lambdas(1);
        for (int i = 0; i < 10; i++) {
            sum += plain().applyAsInt(i) + capturing(i).applyAsInt(i)
                    + one.instance().applyAsInt(i);
            sum += apply(Lambdas::twice, i) + apply(one::plusBias, i);
            Supplier<Lambdas> maker = () -> new Lambdas(7);
            sum += maker.get().bias;
            Function<Lambdas, Integer> getter = Lambdas::bias;
            sum += getter.apply(one);
            sum += nested(i).get().get();
        }
        factorial = factorial();
        sum += factorial.applyAsInt(5) + streamed() + sorted().size();
        Expect.thrown(IllegalStateException.class, () -> failing().run());
        System.out.println("lambdas " + sum);
    }

    static int apply(IntUnaryOperator f, int i) { // calls(20)
        return f.applyAsInt(i);
    }

    static IntUnaryOperator plain() { // calls(10)
        return i -> i + 1; // calls(10) as(lambda$plain$*)
    }

    static IntUnaryOperator capturing(int k) { // calls(10)
        return i -> i + k; // calls(10) as(lambda$capturing$*)
    }

    IntUnaryOperator instance() { // calls(10)
        return i -> i + bias; // calls(10) as(lambda$instance$*)
    }

    static int twice(int i) { // calls(10)
        return 2 * i;
    }

    int plusBias(int i) { // calls(10)
        return i + bias;
    }

    int bias() { // calls(10)
        return bias;
    }

    static Supplier<Supplier<Integer>> nested(int i) { // calls(10)
        return () -> () -> i; // calls(20) as(lambda$nested$*)
    }

    static IntUnaryOperator factorial() { // calls(1)
        return n -> n == 0 ? 1 : n * factorial.applyAsInt(n - 1); // calls(6) as(lambda$factorial$*)
    }

    static int streamed() { // calls(1)
        return IntStream.range(0, 100)
                .filter(i -> i % 2 == 0)
                .map(i -> half(i))
                .boxed()
                .collect(Collectors.toList())
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    static int half(int i) { // calls(50)
        return i / 2;
    }

    static List<String> sorted() { // calls(1)
        List<String> words = new ArrayList<>(List.of("c", "a", "b"));
        Sorting order = (a, b) -> a.compareTo(b);
        words.sort(order);
        return words;
    }

    static Runnable failing() { // calls(1)
        return () -> { // calls(1) throws(1) as(lambda$failing$*)
            throw new IllegalStateException();
        };
    }
}
