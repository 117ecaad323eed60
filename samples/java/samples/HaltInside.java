package samples;

// run: alone
// exit: 4

/** Ends the JVM without any hook. */
public final class HaltInside {
    public static void main(String[] args) { // calls(1) open(1)
        for (int i = 0; i < 1000; i++) {
            before();
        }
        outer();
    }

    static void before() {} // calls(1000)

    static void outer() { // calls(1) open(1)
        System.out.println("halting");
        System.out.flush();
        Runtime.getRuntime().halt(4);
    }

    private HaltInside() {}
}
