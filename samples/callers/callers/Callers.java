package callers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * `Callers ROUNDS THREADS`: a method that is called in several ways, some of them through the JDK.
 * Prints for each way how often it led to the method. For recordings that walk its stacks.
 *
 * <p>A round calls the method twice from {@code plain}, and once by the comparator of a sort. The
 * root is {@code root}; {@code main} and {@code start} are above it.
 */
public final class Callers {
    private static final Object LOCK = new Object();
    private static long plain;
    private static long sorted;

    private Callers() {}

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        int threads = Integer.parseInt(args[1]);
        start(rounds);
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread other = new Worker(rounds);
            other.start();
            others.add(other);
        }
        for (Thread other : others) other.join();
        System.out.println("plain " + plain);
        System.out.println("sorted " + sorted);
    }

    /** A thread that is no task of the root: it calls the root itself. */
    private static final class Worker extends Thread {
        private final int rounds;

        Worker(int rounds) {
            this.rounds = rounds;
        }

        @Override
        public void run() {
            root(rounds);
        }
    }

    static void start(int rounds) {
        root(rounds);
    }

    static int root(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += plain(i);
            sum += sorted(i);
        }
        return sum;
    }

    static int plain(int number) {
        synchronized (LOCK) {
            plain += 2;
        }
        return leaf(number) + leaf(number + 1);
    }

    static int sorted(int number) {
        synchronized (LOCK) {
            sorted++;
        }
        List<Integer> pair = new ArrayList<>();
        pair.add(number);
        pair.add(number + 1);
        Collections.sort(pair, (a, b) -> leaf(a) - leaf2(b));
        return pair.get(0);
    }

    static int leaf(int number) {
        return Integer.bitCount(number) * 31;
    }

    /** Not asked about. */
    static int leaf2(int number) {
        return number + 1;
    }
}
