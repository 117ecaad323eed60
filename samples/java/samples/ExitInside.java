package samples;

// run: alone
// exit: 3

/** Ends the JVM from within three open methods, with a shutdown hook that still works. */
public final class ExitInside {
    public static void main(String[] args) { // calls(1) open(1)
        Runtime.getRuntime().addShutdownHook(new Thread(ExitInside::hook, "hook"));
        for (int i = 0; i < 1000; i++) {
            before();
        }
        outer();
    }

    static void before() {} // calls(1000)

    static void outer() { // calls(1) open(1)
        inner();
    }

    static void inner() { // calls(1) open(1)
        System.out.println("leaving");
        System.exit(3);
    }

    static void hook() { // calls(1)
        System.out.println("hook");
    }

    private ExitInside() {}
}
