import jfathom.runtime.Probe;

/**
 * A root (id 1) that calls itself until the stack is full. Afterwards each thread calls id 2,
 * outside any root.
 */
public class RootOverflow {
    static int root(int n) {
        Probe.rootEntry(1);
        int result;
        try {
            result = root(n + 1) + 1;
        } catch (Throwable e) {
            Probe.rootThrow(1);
            throw e;
        }
        Probe.rootExit(1);
        return result;
    }

    static void inner() {
        int token = Probe.innerEntry(2);
        Probe.methodExit(token);
    }

    /** Begins deeper each time, so that the stack ends at every place. */
    static void overflow(int padding) {
        if (padding > 0) {
            overflow(padding - 1);
            return;
        }
        try {
            root(0);
        } catch (StackOverflowError e) {
            // Expected.
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 60; i++) {
            int padding = i;
            Thread thread = new Thread(null, () -> {
                overflow(padding);
                for (int j = 0; j < 10; j++) inner();
            }, "deep", 200_000);
            thread.start();
            thread.join();
        }
    }
}
