import jfathom.runtime.Probe;

/** Ends in the middle of method 1, in the way that the argument names. */
public class Ends {
    static volatile boolean running;
    static volatile int spins;

    static void method(String how) {
        int token = Probe.methodEntry(1);
        for (int i = 0; i < 100; i++) {
            int token2 = Probe.methodEntry(2);
            Probe.methodExit(token2);
        }
        switch (how) {
            case "exit":
                System.exit(7);
                break;
            case "halt":
                Runtime.getRuntime().halt(7);
                break;
            default:
                throw new IllegalArgumentException(how);
        }
    }

    static void loop() {
        int token = Probe.methodEntry(3);
        try {
            running = true;
            while (true) spin();
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static void spin() {
        int token = Probe.methodEntry(4);
        // No handler covers the exit probe: the exception may come out of it.
        try {
            spins++;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
        Probe.methodExit(token);
    }

    /** Thread.stop at random moments: an exception out of the middle of a probe. */
    @SuppressWarnings({"deprecation", "removal"})
    static void stop(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            running = false;
            Thread thread = new Thread(() -> {
                try {
                    loop();
                } catch (ThreadDeath e) {
                    // Expected.
                }
                for (int j = 0; j < 10; j++) {
                    int token = Probe.methodEntry(5);
                    Probe.methodExit(token);
                }
            });
            thread.start();
            while (!running) Thread.yield();
            int seen = spins;
            while (spins - seen < i * 10) Thread.yield();
            thread.stop();
            thread.join();
        }
        System.out.println("after " + count * 10);
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("stop")) stop(Integer.parseInt(args[1]));
        else method(args[0]);
    }
}
