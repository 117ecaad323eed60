package live;

/** Loaded when it is asked for. `Late N` calls `root` N times, which calls `step` twice. */
final class Late implements Act {
    @Override
    public String act(String[] words) {
        int sum = 0;
        for (int i = 0, n = Integer.parseInt(words[0]); i < n; i++) {
            sum += root(i);
        }
        return Integer.toString(sum);
    }

    static int root(int n) {
        return step(n) + step(n + 1);
    }

    static int step(int n) {
        return n * 3 % 11;
    }
}
