package jfathom.tool.fit;

/** Numbers that a program and its variant choose. A program keeps them in final fields, so that
 * compilers take them for constants. */
final class Draw {
    private static int state;

    private Draw() {}

    /** Chooses the program; before its class is initialized. */
    static void start(int program, int variant) {
        state = program * 0x9e3779b9 + variant * 0x85ebca6b;
    }

    /** A number from {@code low} to {@code high}, both included. */
    static int within(int low, int high) {
        state = state * 1664525 + 1013904223;
        int mixed = state ^ state >>> 15;
        mixed = mixed * 0x2c1b3c6d;
        mixed ^= mixed >>> 13;
        return low + (mixed >>> 1) % (high - low + 1);
    }
}
