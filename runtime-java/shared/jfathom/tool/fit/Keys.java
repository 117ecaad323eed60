package jfathom.tool.fit;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Maps and queues of the JDK with keys of the program's own. */
final class Keys {
    private static final int SIZE = Draw.within(20, 3000);
    private static final int TIMES = Draw.within(50, 1000);
    private static final boolean IS_SORTED = Draw.within(0, 2) == 0;
    private static final int STEPS = Draw.within(1, 3);

    private final Map<Key, Integer> map = IS_SORTED ? new TreeMap<>() : new HashMap<>();
    private final ArrayDeque<Key> queue = new ArrayDeque<>();

    private static final class Key implements Comparable<Key> {
        private final int major;
        private final int minor;

        Key(int major, int minor) {
            this.major = major;
            this.minor = minor;
        }

        int weight() {
            return major + 2 * minor;
        }

        @Override
        public int hashCode() {
            return mixed(major, minor);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key
                    && ((Key) other).major == major
                    && ((Key) other).minor == minor;
        }

        @Override
        public int compareTo(Key other) {
            int order = Integer.compare(major, other.major);
            return order != 0 ? order : Integer.compare(minor, other.minor);
        }
    }

    private static int mixed(int a, int b) {
        int hash = a * 0x9e3779b9 ^ b;
        return hash ^ hash >>> 15;
    }

    private static Key key(int number) {
        return new Key((number >>> 7) % SIZE, number >>> 30);
    }

    private int put(Key key) {
        return map.merge(key, key.weight(), Integer::sum) & 255;
    }

    private int get(Key key) {
        return map.getOrDefault(key, 1) & 255;
    }

    private int pass(Key key) {
        queue.addLast(key);
        return queue.size() > SIZE ? queue.removeFirst().weight() : 0;
    }

    private int step(int number) {
        int sum = put(key(number));
        if (STEPS > 1) sum += get(key(number >> 1));
        if (STEPS > 2) sum += pass(key(number));
        return sum;
    }

    static long run(int rounds) {
        Keys keys = new Keys();
        long sum = 0;
        int number = 12345;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < TIMES; i++) {
                number = number * 1664525 + 1013904223;
                sum += keys.step(number);
            }
        }
        return sum;
    }
}
