/** Calls of half a microsecond and more. Prints the wall and CPU time of its root, {@code run}. */
public class Micro {
    private static final java.lang.management.ThreadMXBean THREADS =
            java.lang.management.ManagementFactory.getThreadMXBean();
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
        int n = Integer.parseInt(args[0]);
        for (int i = 0; i < DATA.length; i++) DATA[i] = i * 7919;
        for (int i = Integer.parseInt(args[1]); i > 0; i--) {
            long cpu = THREADS.getCurrentThreadCpuTime();
            long wall = System.nanoTime();
            int result = run(n);
            wall = System.nanoTime() - wall;
            cpu = THREADS.getCurrentThreadCpuTime() - cpu;
            System.out.println("ROOT_NS " + wall + " CPU_NS " + cpu + " result " + result);
        }
    }
}
