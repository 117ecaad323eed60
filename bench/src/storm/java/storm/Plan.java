package storm;

/** What a run of the program does. */
final class Plan {
    final int threads;
    final int steps;
    final long seed;
    /**
     * How tasks are handed off: {@code thread}, {@code execute}, {@code submit}, {@code future}.
     */
    final String way;
    /** Whether all threads are alive at once. */
    final boolean together;
    /**
     * Milliseconds without a call before the main thread's calls are made once more; 0: they are
     * not.
     */
    final long quiet;
    final int overflows;
    /** How the program ends: {@code return}, {@code exit}, {@code halt}, {@code throw}. */
    final String ending;

    Plan(String[] words) {
        threads = Integer.parseInt(words[2]);
        steps = Integer.parseInt(words[3]);
        seed = Long.parseLong(words[4]);
        way = words[5];
        together = words[6].equals("together");
        quiet = Long.parseLong(words[7]);
        overflows = Integer.parseInt(words[8]);
        ending = words[9];
    }
}
