package samples;

// run: alone

import java.util.IntSummaryStatistics;

/** Calls a class of java.base that the JVM itself has no use for, a known number of times. */
public final class Jdk {
    public static void main(String[] args) {
        IntSummaryStatistics statistics = new IntSummaryStatistics(); // truth: java.util.IntSummaryStatistics::<init> 1
        for (int i = 0; i < 1000; i++) {
            statistics.accept(i); // 1000
        }
        statistics.combine(new IntSummaryStatistics(3, 1, 2, 4)); // 1
        System.out.println("jdk " + statistics.getSum() + " " + statistics.getMax());
    }

    private Jdk() {}
}
