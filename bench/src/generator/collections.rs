//! Collections of the JDK with keys and elements of the program's own.

use super::{random::Random, template::fill};
use std::fmt::Write as _;

pub fn draw(random: &mut Random) -> String {
    let mut steps = String::new();
    for _ in 0..random.within(2, 6) {
        let step = random.one_of(&[
            "sum += put(maps, key(x)); ",
            "sum += get(maps, key(x >> 1)); ",
            "sum += walk(maps, 16); ",
            "sum += queue(x); ",
            "sum += order(x); ",
            "sum += LIST.isEmpty() ? 0 : LIST.get((x >>> 3) % LIST.size()).weight(); ",
            "LIST.add(key(x)); if (LIST.size() > $SIZE) LIST.subList(0, $SIZE / 2).clear(); ",
        ]);
        let _ = write!(steps, "{step}");
    }
    fill(
        JAVA,
        &[
            ("$STEPS", steps),
            ("$MAP", random.one_of(&["HashMap", "TreeMap", "LinkedHashMap"]).to_owned()),
            ("$SIZE", random.size(16, 4000).to_string()),
            ("$TIMES", random.size(20, 2000).to_string()),
            ("$HASH", random.one_of(&["a * 31 + b", "mix(a, b)", "Objects.hash(a, b)"]).to_owned()),
        ],
    )
}

const JAVA: &str = r#"
    static int mix(int a, int b) {
        int h = a * 0x9e3779b9 ^ b;
        h ^= h >>> 15;
        return h * 0x85ebca6b;
    }
    static final class Key implements Comparable<Key> {
        final int a, b;
        Key(int a, int b) { this.a = a; this.b = b; }
        int weight() { return a + 2 * b; }
        @Override public int hashCode() { return $HASH; }
        @Override public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).a == a && ((Key) other).b == b;
        }
        @Override public int compareTo(Key other) {
            return a != other.a ? Integer.compare(a, other.a) : Integer.compare(b, other.b);
        }
    }
    static final List<Key> LIST = new ArrayList<>();
    static final ArrayDeque<Key> QUEUE = new ArrayDeque<>();
    static final PriorityQueue<Key> ORDER = new PriorityQueue<>();
    static final Map<Key, Integer> MAP = new $MAP<>();
    static Key key(int x) { return new Key((x >>> 7) % $SIZE, x >>> 30); }
    static int put(Map<Key, Integer> map, Key key) {
        return map.merge(key, key.weight(), Integer::sum) & 255;
    }
    static int get(Map<Key, Integer> map, Key key) { return map.getOrDefault(key, 1) & 255; }
    static int walk(Map<Key, Integer> map, int limit) {
        int sum = 0;
        for (Map.Entry<Key, Integer> entry : map.entrySet()) {
            sum += entry.getKey().weight() ^ entry.getValue();
            if (--limit == 0) break;
        }
        return sum;
    }
    static int queue(int x) {
        QUEUE.addLast(key(x));
        return QUEUE.size() > $SIZE ? QUEUE.removeFirst().weight() : 0;
    }
    static int order(int x) {
        ORDER.add(key(x));
        return ORDER.size() > $SIZE ? ORDER.remove().weight() : 0;
    }
    static long round(int number) {
        Map<Key, Integer> maps = MAP;
        long sum = 0;
        int x = number * 747796405 + 12345;
        for (int i = 0; i < $TIMES; i++) {
            x = x * 1664525 + 1013904223;
            $STEPS
        }
        return sum;
    }
"#;
