package samples;

// run: alone
// exit: 3

/** Ends the JVM from within three open methods, with a shutdown hook that still works. */
public final class ExitInside {
    public static void main(String[] args) throws InterruptedException { // calls(1) open(1)
        Runtime.getRuntime().addShutdownHook(new Thread(ExitInside::hook, "hook"));
        for (int i = 0; i < 1000; i++) {
            before();
        }
        outer();
    }

    static void before() {} // calls(1000)

    static void outer() throws InterruptedException { // calls(1) open(1)
        inner();
    }

    static void inner() throws InterruptedException { // calls(1) open(1)
        System.out.println("leaving");
        Thread.sleep(50);
        System.exit(3);
    }

    static void hook() { // calls(1)
        System.out.println("hook");
    }

    private ExitInside() {}
}
