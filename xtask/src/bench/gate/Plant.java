/** What is planted in a run: nothing, a root that takes a tenth longer ({@code slow}), or a call for each item ({@code call}). */
final class Plant {
    private static final String WHAT = System.getProperty("plant", "");
    private static final boolean CALL = WHAT.equals("call");
    private static final long BEGUN = System.nanoTime();
    private static long begun;
    private static int sum;

    private Plant() {}

    static void begin() {
        begun = System.nanoTime();
    }

    static void item(int number) {
        if (CALL) extra(number);
    }

    private static void extra(int number) {
        sum += number;
    }

    static void end() {
        long took = System.nanoTime() - begun;
        System.out.println("ROOT_NS " + took);
        if (!WHAT.equals("slow")) return;
        while (System.nanoTime() - begun < took + took / 10) sum++;
        if (sum == 1) System.err.println(BEGUN);
    }
}
