import jfathom.runtime.Probe;

/**
 * Threads that record as fast as they can: {@code Storm threads calls}. The sum that it prints does
 * not depend on the runtime.
 */
public class Storm {
    static int call(int x) {
        int token = Probe.methodEntry(1);
        try {
            int result = x * 31 + 7;
            Probe.methodExit(token);
            return result;
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    public static void main(String[] args) throws Exception {
        int calls = Integer.parseInt(args[1]);
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        long[] sums = new long[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                int x = number;
                for (int j = 0; j < calls; j++) x = call(x);
                sums[number] = x;
            });
            threads[i].start();
        }
        long sum = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            sum += sums[i];
        }
        System.out.println("sum " + (sum & 0xffff_ffffL));
        System.out.println("calls " + (long) calls * threads.length);
    }
}
