import java.util.function.IntUnaryOperator;

/**
 * Calls its root again and again until its input ends. Each round does the same: `ROUND_NS n` is
 * printed for every one, and `root` is called in each with all that it calls, over several classes,
 * through lambdas and interfaces.
 */
public final class Rounds {
    interface Shape {
        int area(int n);
    }

    static final class Square implements Shape {
        public int area(int n) {
            return n * side(n);
        }

        private int side(int n) {
            return n & 15;
        }
    }

    static final class Circle implements Shape {
        public int area(int n) {
            return 3 * n * radius(n);
        }

        private int radius(int n) {
            return n & 7;
        }
    }

    static final class Words {
        static int count(int n) {
            return letters(Integer.toString(n));
        }

        static int letters(String word) {
            int sum = 0;
            for (int i = 0; i < word.length(); i++) {
                sum += value(word.charAt(i));
            }
            return sum;
        }

        static int value(char letter) {
            return letter - '0';
        }
    }

    static int root(int n) {
        Shape[] shapes = {new Square(), new Circle()};
        IntUnaryOperator more = x -> x + fib(12);
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += shapes[i & 1].area(n + i) + Words.count(n * i) + more.applyAsInt(i);
        }
        return sum;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static long round(int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += root(i);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int calls = Integer.parseInt(args[0]);
        long pause = args.length > 1 ? Long.parseLong(args[1]) : 0;
        System.out.println("PID " + ProcessHandle.current().pid());
        long sink = 0;
        while (System.in.available() == 0) {
            long start = System.nanoTime();
            sink += round(calls);
            System.out.println("ROUND_NS " + (System.nanoTime() - start));
            if (pause > 0) {
                Thread.sleep(pause);
            }
        }
        System.out.println("SINK " + sink);
    }

    private Rounds() {}
}
