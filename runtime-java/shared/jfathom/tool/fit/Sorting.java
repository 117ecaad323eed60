package jfathom.tool.fit;

import java.util.Arrays;
import java.util.Comparator;

/** A sort of the program's own, and the JDK's with a comparator of the program's own. */
final class Sorting {
    private static final int SIZE = Draw.within(20, 2000);
    private static final boolean IS_OWN = Draw.within(0, 2) > 0;
    private static final int FIELDS = Draw.within(1, 2);
    private static final Comparator<Item> ORDER = Sorting::compare;

    private Sorting() {}

    private static final class Item {
        private final int rank;
        private final int number;

        Item(int rank, int number) {
            this.rank = rank;
            this.number = number;
        }

        int rank() {
            return rank;
        }

        int number() {
            return number;
        }
    }

    private static int compare(Item one, Item other) {
        int order = Integer.compare(one.rank(), other.rank());
        return order != 0 || FIELDS == 1 ? order : Integer.compare(one.number(), other.number());
    }

    private static boolean isLess(Item one, Item other) {
        return compare(one, other) < 0;
    }

    private static void swap(Item[] items, int one, int other) {
        Item kept = items[one];
        items[one] = items[other];
        items[other] = kept;
    }

    private static void sort(Item[] items, int low, int high) {
        if (low >= high) return;
        Item middle = items[low + high >>> 1];
        int left = low;
        int right = high;
        while (left <= right) {
            while (isLess(items[left], middle)) left++;
            while (isLess(middle, items[right])) right--;
            if (left <= right) swap(items, left++, right--);
        }
        sort(items, low, right);
        sort(items, left, high);
    }

    private static Item[] items(int round) {
        Item[] items = new Item[SIZE];
        int number = round;
        for (int i = 0; i < SIZE; i++) {
            number = number * 1664525 + 1013904223;
            items[i] = new Item(number >>> 20, number);
        }
        return items;
    }

    static long run(int rounds) {
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            Item[] items = items(round);
            if (IS_OWN) sort(items, 0, SIZE - 1);
            else Arrays.sort(items, ORDER);
            sum += items[SIZE / 2].rank();
        }
        return sum;
    }
}
