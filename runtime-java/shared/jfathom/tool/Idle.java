package jfathom.tool;

/** A program that does next to nothing: rewritten and run, its JVM only calibrates its probes. */
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
