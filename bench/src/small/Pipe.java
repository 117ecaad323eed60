import java.util.concurrent.ArrayBlockingQueue;

/**
 * Two threads behind one another: what the first makes the second takes; the root waits for both.
 */
public class Pipe {
    static int mix(int x, int rounds) {
        int s = x;
        for (int i = 0; i < rounds; i++) s = s * 31 + (s >>> 7);
        return s;
    }

    static int[] make(int number) {
        int[] block = new int[256];
        for (int i = 0; i < block.length; i++) block[i] = mix(number + i, 20);
        return block;
    }

    static int use(int[] block) {
        int s = 0;
        for (int value : block) s ^= mix(value, 30);
        return s;
    }

    static void makeAll(ArrayBlockingQueue<int[]> queue, int n) {
        try {
            for (int i = 0; i < n; i++) queue.put(make(i));
            queue.put(new int[0]);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static int useAll(ArrayBlockingQueue<int[]> queue) {
        int s = 0;
        try {
            for (int[] block = queue.take(); block.length > 0; block = queue.take()) {
                s ^= use(block);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return s;
    }

    static int run(int n) {
        ArrayBlockingQueue<int[]> queue = new ArrayBlockingQueue<>(16);
        int[] result = new int[1];
        Thread first = new Thread(() -> makeAll(queue, n));
        Thread second = new Thread(() -> result[0] = useAll(queue));
        try {
            first.start();
            second.start();
            first.join();
            second.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return result[0];
    }

    public static void main(String[] args) {
        Rounds.of(args, Pipe::run);
    }
}
