package samples;

// roots: HandOffForkJoin::root

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks that split themselves. */
public final class HandOffForkJoin {
    private static final AtomicInteger DONE = new AtomicInteger();

    public static void main(String[] args) throws Exception { // calls(1) inside(0)
        ForkJoinPool pool = new ForkJoinPool(3);
        try {
            pool.submit(HandOffForkJoin::foreign).get();
            int sum = root(pool);
            pool.submit(HandOffForkJoin::foreign).get();
            pool.invoke(new Foreign(4));
            System.out.println("hand-off fork join " + sum + " " + DONE);
        } finally {
            pool.shutdown();
        }
    }

    static int root(ForkJoinPool pool) throws Exception { // calls(1) inside(1)
        int sum = pool.invoke(new Sum(0, 64));
        pool.submit(new Act(3)).get();
        Act last = new Act(0);
        pool.execute(last);
        last.join();
        return sum + new Sum(0, 4).fork().join();
    }

    static void foreign() { // calls(2) inside(0)
        DONE.incrementAndGet();
    }

    /** Splits down to single numbers: 2 n - 1 tasks for n numbers. */
    static final class Sum extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;
        private final int from;
        private final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() { // calls(134) inside(134) desc(()Ljava/lang/Integer;)
            if (to - from == 1) {
                return leaf(from);
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(from, middle);
            left.fork();
            return new Sum(middle, to).compute() + left.join();
        }
    }

    static int leaf(int i) { // calls(68) inside(68)
        return i;
    }

    static final class Act extends RecursiveAction {
        private static final long serialVersionUID = 1;
        private final int depth;

        Act(int depth) {
            this.depth = depth;
        }

        @Override
        protected void compute() { // calls(16) inside(16)
            if (depth > 0) {
                invokeAll(new Act(depth - 1), new Act(depth - 1));
            }
            DONE.addAndGet(0);
        }
    }

    static final class Foreign extends RecursiveAction {
        private static final long serialVersionUID = 1;
        private final int depth;

        Foreign(int depth) {
            this.depth = depth;
        }

        @Override
        protected void compute() { // calls(31) inside(0)
            if (depth > 0) {
                invokeAll(new Foreign(depth - 1), new Foreign(depth - 1));
            }
            DONE.incrementAndGet();
        }
    }

    private HandOffForkJoin() {}
}
