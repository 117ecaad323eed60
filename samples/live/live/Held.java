package live;

import java.util.concurrent.CountDownLatch;

/**
 * `Held N` is N calls deep in `root` when it says so, and waits there; `Held go` lets it come back.
 * Then each level calls `step`. Answers the sum of what the steps made.
 */
final class Held implements Act {
    private static volatile CountDownLatch inside = new CountDownLatch(1);
    private static volatile CountDownLatch go = new CountDownLatch(1);

    @Override
    public String act(String[] words) throws InterruptedException {
        switch (words[0]) {
            case "wait":
                inside.await();
                return "inside";
            case "go":
                go.countDown();
                return "gone";
            case "again":
                inside = new CountDownLatch(1);
                go = new CountDownLatch(1);
                return "again";
            default:
                return Integer.toString(root(Integer.parseInt(words[0])));
        }
    }

    static int root(int n) throws InterruptedException {
        if (n > 1) {
            return root(n - 1) + step(n);
        }
        inside.countDown();
        go.await();
        return step(n);
    }

    static int step(int n) {
        return n * 2 + 1;
    }
}
