package live;

/** `Shown N` calls `root` N times; the word that it answers is one that another agent changes. */
final class Shown implements Act {
    @Override
    public String act(String[] words) {
        int n = Integer.parseInt(words[0]);
        String word = "";
        for (int i = 0; i < n; i++) {
            word = root(i);
        }
        return word + " " + n;
    }

    static String root(int n) {
        return word(n);
    }

    static String word(int n) {
        return n < 0 ? "" : "plain";
    }
}
