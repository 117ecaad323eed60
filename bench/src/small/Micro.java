/** Calls of half a microsecond and more. */
public class Micro {
    private static final int[] DATA = new int[512];

    static int block(int seed) {
        int hash = seed;
        for (int i = 0; i < 512; i++) {
            hash = (hash ^ DATA[i]) * 0x01000193;
            hash ^= hash >>> 15;
        }
        return hash;
    }

    static int pair(int seed) {
        int hash = seed;
        for (int i = 0; i < 256; i++) hash = hash * 31 + DATA[i];
        return hash ^ block(hash) + block(hash + 1);
    }

    static int run(int n) {
        int hash = 1;
        for (int i = 0; i < n; i++) hash = pair(hash + i);
        return hash;
    }

    public static void main(String[] args) {
        for (int i = 0; i < DATA.length; i++) DATA[i] = i * 7919;
        Rounds.of(args, Micro::run);
    }
}
