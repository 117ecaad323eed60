package jfathom.tool;

/** A program that does next to nothing: rewritten and run, its JVM measures its own probes and no more. */
public final class Idle {
    private static int calls;

    private Idle() {}

    public static void main(String[] arguments) {
        call();
    }

    private static void call() {
        calls++;
    }
}
