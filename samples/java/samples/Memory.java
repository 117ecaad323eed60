package samples;

// run: alone
// jvm: -Xmx64m -XX:+UseSerialGC

import java.util.ArrayList;
import java.util.List;

/** Runs out of memory inside known calls, and goes on. */
public final class Memory {
    private static final int ROUNDS = 5;
    private static int survived;

    public static void main(String[] args) { // calls(1)
        for (int i = 0; i < ROUNDS; i++) {
            tooMuch();
            filled();
        }
        System.out.println("memory " + survived);
    }

    static void tooMuch() { // calls(5) caught(5)
        try {
            huge();
        } catch (OutOfMemoryError e) {
            survived++;
        }
    }

    static long[] huge() { // calls(5) throws(5)
        return new long[Integer.MAX_VALUE];
    }

    /** Calls a method while nothing is left on the heap. */
    static void filled() { // calls(5) caught(5)
        List<long[]> all = new ArrayList<>(4096);
        try {
            for (int size = 1 << 20; ; size = Math.max(1, size / 2)) {
                fill(all, size);
            }
        } catch (OutOfMemoryError e) {
            leaf();
            all.clear();
            survived++;
        }
    }

    /** Takes blocks of one size until there is no more; the smallest one ends it. */
    static void fill(List<long[]> all, int size) { // reconciles
        try {
            while (all.size() < 4000) {
                all.add(new long[size]);
            }
        } catch (OutOfMemoryError e) {
            if (size > 1) {
                return;
            }
            throw e;
        }
        throw new OutOfMemoryError("list full");
    }

    static void leaf() { // calls(5)
        survived += 10;
    }

    private Memory() {}
}
