//! Recursion: trees that are built and walked, searches, numbers.

use super::{random::Random, template::fill};

pub fn draw(random: &mut Random) -> String {
    let java = match random.within(0, 3) {
        0 => TREES,
        1 => VISITORS,
        2 => QUEENS,
        _ => NUMBERS,
    };
    fill(
        java,
        &[
            ("$DEPTH", random.within(6, 14).to_string()),
            ("$KEYS", random.size(50, 5000).to_string()),
            ("$BOARD", random.within(5, 8).to_string()),
            ("$WORK", (random.size(1, 40) - 1).to_string()),
        ],
    )
}

const TREES: &str = r#"
    static final class Tree {
        final int key;
        Tree left, right;
        Tree(int key) { this.key = key; }
        int height() { return 1 + Math.max(left == null ? 0 : left.height(), right == null ? 0 : right.height()); }
    }
    static int work(int x) {
        int s = x;
        for (int i = 0; i < $WORK; i++) s = s * 31 + (s >>> 7);
        return s;
    }
    static Tree insert(Tree tree, int key) {
        if (tree == null) return new Tree(key);
        if (key < tree.key) tree.left = insert(tree.left, key);
        else if (key > tree.key) tree.right = insert(tree.right, key);
        return tree;
    }
    static int sum(Tree tree) { return tree == null ? 0 : work(tree.key) + sum(tree.left) ^ sum(tree.right); }
    static boolean holds(Tree tree, int key) {
        return tree != null && (tree.key == key || holds(key < tree.key ? tree.left : tree.right, key));
    }
    static long round(int number) {
        Tree tree = null;
        int x = number * 747796405 + 3;
        for (int i = 0; i < $KEYS; i++) {
            x = x * 1664525 + 1013904223;
            tree = insert(tree, x >>> 8);
        }
        long found = 0;
        for (int i = 0; i < $KEYS; i++) if (holds(tree, (x + i) >>> 8)) found++;
        return sum(tree) + found + tree.height();
    }
"#;

const VISITORS: &str = r#"
    interface Visitor { int add(Add node); int times(Times node); int leaf(Leaf node); }
    interface Expr { int accept(Visitor visitor); }
    static final class Add implements Expr {
        final Expr a; final Expr b;
        Add(Expr a, Expr b) { this.a = a; this.b = b; }
        Expr a() { return a; } Expr b() { return b; }
        public int accept(Visitor visitor) { return visitor.add(this); }
    }
    static final class Times implements Expr {
        final Expr a; final Expr b;
        Times(Expr a, Expr b) { this.a = a; this.b = b; }
        Expr a() { return a; } Expr b() { return b; }
        public int accept(Visitor visitor) { return visitor.times(this); }
    }
    static final class Leaf implements Expr {
        final int value;
        Leaf(int value) { this.value = value; }
        int value() { return value; }
        public int accept(Visitor visitor) { return visitor.leaf(this); }
    }
    static int work(int x) {
        int s = x;
        for (int i = 0; i < $WORK; i++) s = s * 31 + (s >>> 7);
        return s;
    }
    static final class Value implements Visitor {
        public int add(Add node) { return node.a().accept(this) + node.b().accept(this); }
        public int times(Times node) { return node.a().accept(this) * node.b().accept(this); }
        public int leaf(Leaf node) { return work(node.value()); }
    }
    static final class Depth implements Visitor {
        public int add(Add node) { return 1 + Math.max(node.a().accept(this), node.b().accept(this)); }
        public int times(Times node) { return 1 + Math.max(node.a().accept(this), node.b().accept(this)); }
        public int leaf(Leaf node) { return 1; }
    }
    static Expr made(int seed, int depth) {
        if (depth == 0 || seed % 11 == 3) return new Leaf(seed);
        int next = seed * 1664525 + 1013904223 >>> 1;
        Expr a = made(next, depth - 1), b = made(next / 3, depth - 1);
        return (next & 64) == 0 ? new Add(a, b) : new Times(a, b);
    }
    static long round(int number) {
        Expr expr = made(number + 5, $DEPTH);
        return expr.accept(new Value()) * 31L + expr.accept(new Depth());
    }
"#;

const QUEENS: &str = r#"
    static boolean free(int[] rows, int column, int row) {
        for (int before = 0; before < column; before++)
            if (rows[before] == row || Math.abs(rows[before] - row) == column - before) return false;
        return true;
    }
    static int place(int[] rows, int column) {
        if (column == rows.length) return 1;
        int found = 0;
        for (int row = 0; row < rows.length; row++) {
            if (free(rows, column, row)) {
                rows[column] = row;
                found += place(rows, column + 1);
            }
        }
        return found;
    }
    static long round(int number) { return place(new int[$BOARD], 0) + number; }
"#;

const NUMBERS: &str = r#"
    static int work(int x) {
        int s = x;
        for (int i = 0; i < $WORK; i++) s = s * 31 + (s >>> 7);
        return s;
    }
    static int fib(int n) { return n < 2 ? work(n) : fib(n - 1) + fib(n - 2); }
    static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }
    static long round(int number) {
        return fib($DEPTH) + gcd(number * 7919 + 1, 2 * 3 * 5 * 7 * 11 * 13) + ackermann(2, $DEPTH);
    }
"#;
