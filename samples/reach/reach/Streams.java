package reach;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What streams call back. */
public final class Streams {
    static final class Joining implements Collector<String, StringBuilder, String> {
        @Override
        public Supplier<StringBuilder> supplier() {
            return StringBuilder::new;
        }

        @Override
        public BiConsumer<StringBuilder, String> accumulator() {
            return Joining::add;
        }

        private static void add(StringBuilder all, String one) {
            all.append(one);
        }

        @Override
        public BinaryOperator<StringBuilder> combiner() {
            return StringBuilder::append;
        }

        @Override
        public Function<StringBuilder, String> finisher() {
            return all -> finish(all);
        }

        private static String finish(StringBuilder all) {
            return all.toString();
        }

        @Override
        public Set<Characteristics> characteristics() {
            return Set.of();
        }
    }

    static final class Countdown implements Spliterator<Integer> {
        private int left = 5;

        @Override
        public boolean tryAdvance(Consumer<? super Integer> action) {
            if (left == 0) {
                return false;
            }
            action.accept(left--);
            return true;
        }

        @Override
        public Spliterator<Integer> trySplit() {
            return null;
        }

        @Override
        public long estimateSize() {
            return left;
        }

        @Override
        public int characteristics() {
            return ORDERED;
        }
    }

    static final class Range extends AbstractList<Integer> {
        @Override
        public Integer get(int index) {
            return index;
        }

        @Override
        public int size() {
            return 6;
        }
    }

    static final class Letters implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return new Iterator<>() {
                private char next = 'a';

                @Override
                public boolean hasNext() {
                    return next < 'd';
                }

                @Override
                public String next() {
                    return String.valueOf(next++);
                }
            };
        }
    }

    static final class Pair implements Comparable<Pair> {
        final int key;

        Pair(int key) {
            this.key = key;
        }

        @Override
        public int compareTo(Pair other) {
            return Integer.compare(key, other.key);
        }

        @Override
        public int hashCode() {
            return key % 2;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Pair pair && pair.key == key;
        }
    }

    public static void main(String[] args) {
        System.out.println(Stream.of("a", "b").collect(new Joining()));
        System.out.println(StreamSupport.stream(new Countdown(), false).mapToInt(Streams::square)
                .sum());
        System.out.println(new Range().stream().filter(Streams::even).count());
        List<String> letters = new ArrayList<>();
        new Letters().forEach(letters::add);
        System.out.println(letters);
        System.out.println(IntStream.range(0, 1000).parallel().map(Streams::square)
                .filter(i -> even(i)).sum());
        Stream<Pair> pairs = Stream.iterate(3, i -> i - 1).limit(4).map(Pair::new);
        System.out.println(pairs.sorted().distinct().map(Streams::text)
                .collect(Collectors.groupingBy(Streams::length)));
        System.out.println(Stream.of(letters, letters).flatMap(Streams::inner)
                .reduce("", Streams::join));
    }

    private static int square(int i) {
        return i * i;
    }

    private static boolean even(int i) {
        return i % 2 == 0;
    }

    private static String text(Pair pair) {
        return "p" + pair.key;
    }

    private static int length(String word) {
        return word.length();
    }

    private static Stream<String> inner(List<String> list) {
        return list.stream();
    }

    private static String join(String a, String b) {
        return a + b;
    }
}
