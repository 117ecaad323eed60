//! Sorting with comparators: by the JDK, or by methods of the program.

use super::{random::Random, template::fill};

pub fn draw(random: &mut Random) -> String {
    fill(
        JAVA,
        &[
            ("$SIZE", random.size(20, 5000).to_string()),
            (
                "$ORDER",
                random
                    .one_of(&[
                        "Comparator.comparing(Item::name)",
                        "Comparator.comparingInt(Item::rank).thenComparing(Item::name)",
                        "(a, b) -> compare(a, b)",
                        "new ByRank()",
                        "new ByRank().reversed()",
                    ])
                    .to_owned(),
            ),
            (
                "$SORT",
                random
                    .one_of(&[
                        "Arrays.sort(items, ORDER)",
                        "quick(items, 0, items.length - 1)",
                        "merge(items, 0, items.length)",
                        "heap(items)",
                    ])
                    .to_owned(),
            ),
            ("$RANKS", random.size(2, 10_000).to_string()),
        ],
    )
}

const JAVA: &str = r#"
    static final class Item {
        final int rank; final String name;
        Item(int rank, String name) { this.rank = rank; this.name = name; }
        int rank() { return rank; } String name() { return name; }
    }
    static final class ByRank implements Comparator<Item> {
        public int compare(Item a, Item b) { return Integer.compare(a.rank(), b.rank()); }
    }
    static final Comparator<Item> ORDER = $ORDER;
    static int compare(Item a, Item b) {
        int byRank = Integer.compare(a.rank(), b.rank());
        return byRank != 0 ? byRank : a.name().compareTo(b.name());
    }
    static boolean less(Item a, Item b) { return ORDER.compare(a, b) < 0; }
    static void swap(Item[] items, int a, int b) {
        Item item = items[a];
        items[a] = items[b];
        items[b] = item;
    }
    static int partition(Item[] items, int low, int high) {
        Item pivot = items[(low + high) >>> 1];
        while (low <= high) {
            while (less(items[low], pivot)) low++;
            while (less(pivot, items[high])) high--;
            if (low <= high) swap(items, low++, high--);
        }
        return low;
    }
    static void quick(Item[] items, int low, int high) {
        if (low >= high) return;
        int middle = partition(items, low, high);
        quick(items, low, middle - 1);
        quick(items, middle, high);
    }
    static void merge(Item[] items, int from, int to) {
        if (to - from < 2) return;
        int middle = (from + to) >>> 1;
        merge(items, from, middle);
        merge(items, middle, to);
        Item[] left = Arrays.copyOfRange(items, from, middle);
        for (int a = 0, b = middle, at = from; a < left.length; at++)
            items[at] = b < to && less(items[b], left[a]) ? items[b++] : left[a++];
    }
    static void sink(Item[] items, int at, int end) {
        for (int child = 2 * at + 1; child < end; child = 2 * at + 1) {
            if (child + 1 < end && less(items[child], items[child + 1])) child++;
            if (!less(items[at], items[child])) return;
            swap(items, at, child);
            at = child;
        }
    }
    static void heap(Item[] items) {
        for (int i = items.length / 2; i >= 0; i--) sink(items, i, items.length);
        for (int end = items.length - 1; end > 0; end--) {
            swap(items, 0, end);
            sink(items, 0, end);
        }
    }
    static Item[] made(int seed) {
        Item[] items = new Item[$SIZE];
        int x = seed * 747796405 + 9;
        for (int i = 0; i < items.length; i++) {
            x = x * 1664525 + 1013904223;
            items[i] = new Item((x >>> 8) % $RANKS, Integer.toString(x >>> 12, 36));
        }
        return items;
    }
    static long round(int number) {
        Item[] items = made(number);
        $SORT;
        long sum = 0;
        for (int i = 0; i < items.length; i += 7) sum = sum * 31 + items[i].rank();
        return sum;
    }
"#;
