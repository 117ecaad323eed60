package samples;

// run: alone

import java.util.IntSummaryStatistics;

/**
 * Calls a class of java.base that the JVM itself has no use for, a known number of times: accept
 * 1000, combine once.
 */
public final class Jdk {
    public static void main(String[] args) {
        IntSummaryStatistics statistics = new IntSummaryStatistics();
        for (int i = 0; i < 1000; i++) {
            statistics.accept(i);
        }
        statistics.combine(new IntSummaryStatistics(3, 1, 2, 4));
        System.out.println("jdk " + statistics.getSum() + " " + statistics.getMax());
    }

    private Jdk() {}
}
