/**
 * Recursion with several receivers: expressions as trees, made, simplified and evaluated again and
 * again.
 */
public class Visit {
    abstract static class Node {
        abstract long value(long x);

        abstract Node simple();

        boolean is(long number) {
            return false;
        }
    }

    static final class Number extends Node {
        final long number;

        Number(long number) {
            this.number = number;
        }

        @Override
        long value(long x) {
            return number;
        }

        @Override
        Node simple() {
            return this;
        }

        @Override
        boolean is(long number) {
            return this.number == number;
        }
    }

    static final class Variable extends Node {
        @Override
        long value(long x) {
            return x;
        }

        @Override
        Node simple() {
            return this;
        }
    }

    static final class Sum extends Node {
        final Node left;
        final Node right;

        Sum(Node left, Node right) {
            this.left = left;
            this.right = right;
        }

        @Override
        long value(long x) {
            return left.value(x) + right.value(x);
        }

        @Override
        Node simple() {
            Node left = this.left.simple();
            Node right = this.right.simple();
            if (left.is(0)) return right;
            return right.is(0) ? left : new Sum(left, right);
        }
    }

    static final class Product extends Node {
        final Node left;
        final Node right;

        Product(Node left, Node right) {
            this.left = left;
            this.right = right;
        }

        @Override
        long value(long x) {
            return left.value(x) * right.value(x);
        }

        @Override
        Node simple() {
            Node left = this.left.simple();
            Node right = this.right.simple();
            if (left.is(1)) return right;
            if (left.is(0) || right.is(0)) return new Number(0);
            return right.is(1) ? left : new Product(left, right);
        }
    }

    static Node make(int depth, int seed) {
        if (depth == 0) return seed % 3 == 0 ? new Variable() : new Number(seed % 4);
        Node left = make(depth - 1, seed * 7 + 1 & 0xffff);
        Node right = make(depth - 1, seed * 5 + 3 & 0xffff);
        return (seed & 1) == 0 ? new Sum(left, right) : new Product(left, right);
    }

    static int run(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Node tree = make(9, i).simple();
            for (int x = 0; x < 10; x++) sum = sum * 31 + tree.value(x);
        }
        return (int) sum;
    }

    public static void main(String[] args) {
        Rounds.of(args, Visit::run);
    }
}
