/**
 * What is planted in a run: nothing, a root that takes so many nanoseconds longer ({@code
 * plant.nanos}), a call for each item ({@code call}), or a method whose code is another, because
 * EDITED_NANOS is replaced before it is compiled.
 */
final class Plant {
    private static final String WHAT = System.getProperty("plant", "");
    private static final boolean CALL = WHAT.equals("call");
    private static final long NANOS = Long.getLong("plant.nanos", 0);
    private static final long EDITED_NANOS = 0;
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
        long ended = System.nanoTime();
        System.out.println("ROOT_NS " + (ended - begun));
        while (System.nanoTime() - ended < NANOS) sum++;
        edited();
    }

    private static void edited() {
        long until = System.nanoTime() + EDITED_NANOS;
        while (System.nanoTime() < until) sum++;
    }
}
