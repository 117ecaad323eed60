package jfathom.tool.fit;

/** Trees that are built and visited, and recursion of small methods. */
final class Trees {
    private static final int DEPTH = Draw.within(3, 11);
    private static final int WORK = Draw.within(0, 12);
    private static final int NUMBER = Draw.within(4, 14);

    private Trees() {}

    private interface Visitor {
        int leaf(int value);

        int inner(Node left, Node right);
    }

    private abstract static class Node {
        abstract int accept(Visitor visitor);
    }

    private static final class Leaf extends Node {
        private final int value;

        Leaf(int value) {
            this.value = value;
        }

        @Override
        int accept(Visitor visitor) {
            return visitor.leaf(value);
        }
    }

    private static final class Inner extends Node {
        private final Node left;
        private final Node right;

        Inner(Node left, Node right) {
            this.left = left;
            this.right = right;
        }

        @Override
        int accept(Visitor visitor) {
            return visitor.inner(left, right);
        }
    }

    private static final class Sum implements Visitor {
        @Override
        public int leaf(int value) {
            int sum = value;
            for (int i = 0; i < WORK; i++) sum = sum * 31 + (sum >>> 7);
            return sum;
        }

        @Override
        public int inner(Node left, Node right) {
            return left.accept(this) + 3 * right.accept(this);
        }
    }

    private static final class Depth implements Visitor {
        @Override
        public int leaf(int value) {
            return 1;
        }

        @Override
        public int inner(Node left, Node right) {
            return 1 + Math.max(left.accept(this), right.accept(this));
        }
    }

    private static Node tree(int depth, int number) {
        if (depth == 0) return new Leaf(number);
        return new Inner(tree(depth - 1, 2 * number), tree(depth - 1, 2 * number + 1));
    }

    private static int fibonacci(int number) {
        return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
    }

    static long run(int rounds) {
        long sum = 0;
        Visitor adds = new Sum();
        Visitor measures = new Depth();
        for (int round = 0; round < rounds; round++) {
            Node tree = tree(DEPTH, round);
            sum += tree.accept(adds) + tree.accept(measures) + fibonacci(NUMBER);
        }
        return sum;
    }
}
