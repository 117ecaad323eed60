package samples;

// roots: HandOffStreams::root

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Parallel streams: the functions run on the caller's thread and on others, each element once. */
public final class HandOffStreams {
    public static void main(String[] args) { // calls(1) inside(0)
        long before = IntStream.range(0, 1000).parallel().map(HandOffStreams::foreign).sum();
        long inside = root();
        long after = IntStream.range(0, 1000).parallel().map(HandOffStreams::foreign).sum();
        System.out.println("hand-off streams " + before + " " + inside + " " + after);
    }

    static long root() { // calls(1) inside(1)
        long sum = IntStream.range(0, 1000).parallel().filter(i -> even(i))
                .map(HandOffStreams::twice).asLongStream().sum();
        List<String> words =
                IntStream.range(0, 500).boxed().collect(Collectors.toList()).parallelStream()
                .map(HandOffStreams::word)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toList());
        return sum + words.size() + words.get(499).length();
    }

    static int foreign(int i) { // calls(2000) inside(0)
        return i;
    }

    static boolean even(int i) { // calls(1000) inside(1000)
        return i % 2 == 0;
    }

    static int twice(int i) { // calls(500) inside(500)
        return 2 * i;
    }

    static String word(int i) { // calls(500) inside(500)
        return "w" + i;
    }

    private HandOffStreams() {}
}
