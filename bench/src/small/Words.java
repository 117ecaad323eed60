import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Strings and collections: words of a text made up, counted, sorted and printed. */
public class Words {
    private static final String[] PARTS = {"an", "ber", "cor", "dil", "es", "fon", "gar", "hu",
            "il", "jo"};

    private final Map<String, Integer> counts = new HashMap<>();
    private int state;

    Words(int seed) {
        state = seed;
    }

    int next(int bound) {
        state = state * 1103515245 + 12345;
        return (state >>> 16) % bound;
    }

    String word() {
        StringBuilder text = new StringBuilder();
        for (int parts = 1 + next(3); parts > 0; parts--) text.append(PARTS[next(PARTS.length)]);
        return text.toString();
    }

    static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    void count(String word) {
        counts.merge(word, 1, Integer::sum);
    }

    void sentence() {
        count(capital(word()));
        for (int words = next(8); words > 0; words--) count(word());
    }

    static int compare(Map.Entry<String, Integer> a, Map.Entry<String, Integer> b) {
        int order = b.getValue() - a.getValue();
        return order != 0 ? order : a.getKey().compareTo(b.getKey());
    }

    List<Map.Entry<String, Integer>> sorted() {
        List<Map.Entry<String, Integer>> entries = new ArrayList<>(counts.entrySet());
        Comparator<Map.Entry<String, Integer>> order = Words::compare;
        entries.sort(order);
        return entries;
    }

    static void line(StringBuilder out, String word, int count) {
        out.append(word).append(' ').append(count).append('\n');
    }

    String page() {
        for (int i = 0; i < 400; i++) sentence();
        StringBuilder out = new StringBuilder();
        for (Map.Entry<String, Integer> entry : sorted()) {
            line(out, entry.getKey(), entry.getValue());
        }
        return out.toString();
    }

    static int run(int n) {
        int hash = 0;
        for (int i = 0; i < n; i++) hash = hash * 31 + new Words(i).page().hashCode();
        return hash;
    }

    public static void main(String[] args) {
        Rounds.of(args, Words::run);
    }
}
