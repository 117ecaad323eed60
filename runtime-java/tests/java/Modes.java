import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import jfathom.runtime.Probe;

/** Calls of many shapes while modes change; prints how often each id was called on each thread. */
public class Modes {
    /** The methods of the storm; the last ones are never called in it. */
    static final int FIRST = 1;
    static final int METHODS = 12;
    static final int OUTER = 20;
    static final int COUNTED = 600;
    static final int ROOT = 30;
    /**
     * Ids on both sides of the last one whose counter follows that of id 0, and at the ends of
     * counter chunks and of the span.
     */
    static final int[] FAR = {
        0, 1, 511, 512, 32_255, 32_256, 32_767, 32_768, 33_279, 33_280, 65_535, 65_536, 131_067
    };
    static final RuntimeException OOPS = new RuntimeException(null, null, false, false) {};

    final long[] calls = new long[1 << 17];
    private long state;

    Modes(long seed) {
        state = seed * 0x9e3779b97f4a7c15L + 1;
    }

    int random(int bound) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return (int) ((state >>> 33) % bound);
    }

    /** Calls others, itself among them, throws, and catches what they throw. */
    int storm(int id, int depth) {
        int token = Probe.methodEntry(id);
        try {
            calls[id]++;
            int sum = id;
            int below = depth == 0 ? 0 : random(4);
            for (int i = 0; i < below; i++) {
                try {
                    sum += storm(random(3) == 0 ? id : FIRST + random(METHODS), depth - 1);
                } catch (RuntimeException e) {
                    Probe.handleCatch(e, token);
                    sum++;
                }
            }
            if (random(8) == 0) throw OOPS;
            Probe.methodExit(token);
            return sum;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    int outer(int counted) {
        int token = Probe.methodEntry(OUTER);
        try {
            calls[OUTER]++;
            int sum = 0;
            for (int i = 0; i < counted; i++) sum += simple(COUNTED + i % 3);
            Probe.methodExit(token);
            return sum;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    int simple(int id) {
        int token = Probe.methodEntry(id);
        try {
            calls[id]++;
            Probe.methodExit(token);
            return id;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    /** Recorded only inside a root. */
    int inner(int id, int depth) {
        int token = Probe.innerEntry(id);
        try {
            if (depth > 0) inner(id + 1, depth - 1);
            Probe.methodExit(token);
            return id;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    void root(Thread spawned) throws InterruptedException {
        Probe.rootEntry(ROOT);
        try {
            inner(1, 5);
            if (spawned != null) {
                Probe.handOff(spawned);
                spawned.start();
                spawned.join();
            }
            Probe.rootExit(ROOT);
        } catch (Throwable e) {
            Probe.rootThrow(ROOT);
            throw e;
        }
    }

    void print(String thread) {
        StringBuilder text = new StringBuilder("truth ").append(thread);
        for (int id = 0; id < calls.length; id++) {
            if (calls[id] > 0) text.append(' ').append(id).append('=').append(calls[id]);
        }
        synchronized (Modes.class) {
            System.out.println(text);
        }
    }

    /** Groups of threads, one after another, so that rings are reused. */
    static void storms(int groups, int threads, int rounds) throws Exception {
        for (int group = 0; group < groups; group++) {
            Thread[] all = new Thread[threads];
            for (int i = 0; i < threads; i++) {
                String name = "storm-" + group + "-" + i;
                Modes modes = new Modes(group * 1000 + i + 1);
                all[i] = new Thread(() -> {
                    for (int round = 0; round < rounds; round++) {
                        try {
                            modes.storm(FIRST + modes.random(METHODS), 6);
                        } catch (RuntimeException e) {
                            modes.calls[0]++;
                        }
                    }
                    modes.calls[0] = 0;
                    modes.print(name);
                }, name);
            }
            for (Thread thread : all) thread.start();
            for (Thread thread : all) thread.join();
        }
    }

    /** Counts from the last id to the first and back, on successive threads that reuse the ring. */
    static void far(int threads) throws Exception {
        for (int i = 1; i <= threads; i++) {
            String name = "far-" + i;
            int turns = i * 1000;
            Thread thread = new Thread(() -> {
                Modes modes = new Modes(1);
                for (int turn = 0; turn < turns; turn++) {
                    for (int at = FAR.length - 1; at >= 0; at--) modes.simple(FAR[at]);
                    for (int id : FAR) modes.simple(id);
                }
                modes.print(name);
            }, name);
            thread.start();
            thread.join();
        }
    }

    /** Two threads whose numbers have the same low bits; one lives longer. */
    static void shared() throws Exception {
        Thread first = new Thread(() -> rounds("first", () -> {}), "first");
        Thread second = first;
        while (second == first || (second.getId() - first.getId()) % 8192 != 0) {
            second = new Thread(
                    () -> rounds("second", () -> {
                        first.join();
                        // Registration sweeps threads that have ended.
                        Thread next = new Thread(() -> new Modes(1).outer(0), "next");
                        next.start();
                        next.join();
                    }),
                    "second");
        }
        first.start();
        second.start();
        first.join();
        second.join();
    }

    interface Between {
        void run() throws InterruptedException;
    }

    private static void rounds(String name, Between between) {
        Modes modes = new Modes(1);
        for (int i = 0; i < 5000; i++) modes.outer(i % 7);
        try {
            between.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        for (int i = 0; i < 5000; i++) modes.outer(i % 5);
        modes.print(name);
    }

    /** Counts, with its own count in a file, until another process kills this one. */
    static void killed(String file, int calls) throws Exception {
        MappedByteBuffer truth;
        try (RandomAccessFile open = new RandomAccessFile(file, "rw")) {
            truth = open.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 8);
        }
        Modes modes = new Modes(1);
        new Thread(() -> {
            try {
                while (truth.getLong(0) < calls) Thread.sleep(1);
                String pid = Long.toString(ProcessHandle.current().pid());
                new ProcessBuilder("kill", "-9", pid).start();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }).start();
        for (long n = 1; ; n++) {
            modes.simple(COUNTED);
            truth.putLong(0, n);
        }
    }

    /** Methods with an entry probe alone: ids at hand, far ones, and one outside of the span. */
    static void alone(int turns) {
        for (int turn = 0; turn < turns; turn++) {
            Probe.countedEntry(COUNTED);
            Probe.countedEntry(60_000 + turn % 3);
            Probe.countedEntry(1 << 20);
            if (turn % 100 == 0) {
                int token = Probe.methodEntry(OUTER);
                Probe.countedEntry(COUNTED + 1);
                Probe.methodExit(token);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Modes main = new Modes(7);
        switch (args[0]) {
            case "storms":
                int seed = Integer.parseInt(args[1]);
                storms(seed, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
                break;
            case "counted":
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 2000; i++) main.outer(i % 7);
                    // More chunks, and counts after the last record.
                    for (int i = 0; i < 1000; i++) main.simple(512 + i);
                    main.print("counting");
                }, "counting");
                thread.start();
                thread.join();
                // Registration sweeps threads that have ended.
                Thread next = new Thread(() -> main.outer(0), "next");
                next.start();
                next.join();
                break;
            case "far":
                far(Integer.parseInt(args[1]));
                break;
            case "alone":
                alone(Integer.parseInt(args[1]));
                break;
            case "shared":
                shared();
                break;
            case "roots":
                main.inner(1, 5);
                for (int i = 0; i < 100; i++) main.root(null);
                main.root(new Thread(() -> main.inner(2, 4), "spawned"));
                main.inner(1, 5);
                break;
            default:
                killed(args[1], Integer.parseInt(args[2]));
        }
    }
}
