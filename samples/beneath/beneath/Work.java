package beneath;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * One recorded method, {@code root}, that leaves all its work to the JDK: sorting, a map whose keys
 * collide, and texts. Prints for each part how many ns of all rounds it took, by the program's own
 * clock. With an argument {@code forever} it goes on until it is ended.
 */
public final class Work {
    private static final int NUMBERS = 60_000;
    private static final int KEY_PAIRS = 10;
    private static final int MAPS = 12;
    private static final int TEXTS = 4_000;

    static volatile Object sink;
    /** Time of the parts: sorted, collided, formatted. */
    private static final long[] TOOK = new long[3];

    private Work() {}

    /** Texts that all have one hash: {@code Aa} and {@code BB} have. */
    private static String[] keys() {
        String[] keys = new String[1 << KEY_PAIRS];
        for (int at = 0; at < keys.length; at++) {
            StringBuilder key = new StringBuilder();
            for (int pair = 0; pair < KEY_PAIRS; pair++) {
                key.append((at >> pair & 1) == 0 ? "Aa" : "BB");
            }
            keys[at] = key.toString();
        }
        return keys;
    }

    static void root(int[] numbers, String[] keys) {
        long begin = System.nanoTime();
        // Sorting is most of the work: three times the numbers.
        for (int i = 0; i < 3; i++) {
            int[] copy = numbers.clone();
            Arrays.sort(copy);
            sink = copy;
        }
        long sorted = System.nanoTime();
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < MAPS; i++) {
            map = new HashMap<>();
            for (String key : keys) {
                map.put(key, key);
            }
        }
        sink = map;
        long collided = System.nanoTime();
        StringBuilder texts = new StringBuilder();
        for (int i = 0; i < TEXTS; i++) {
            texts.append(String.format("%d of %s", i, "all"));
        }
        sink = texts;
        long formatted = System.nanoTime();
        TOOK[0] += sorted - begin;
        TOOK[1] += collided - sorted;
        TOOK[2] += formatted - collided;
    }

    public static void main(String[] args) throws Exception {
        Random random = new Random(1);
        int[] numbers = random.ints(NUMBERS).toArray();
        String[] keys = keys();
        boolean isEndless = args[0].equals("forever");
        int rounds = isEndless ? Integer.MAX_VALUE : Integer.parseInt(args[0]);
        if (isEndless) {
            System.out.println("ready");
        }
        for (int round = 0; round < rounds; round++) {
            root(numbers, keys);
        }
        System.out.println("sorted " + TOOK[0]);
        System.out.println("collided " + TOOK[1]);
        System.out.println("formatted " + TOOK[2]);
    }
}
