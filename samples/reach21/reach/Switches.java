package reach;

import java.util.List;
import java.util.SequencedCollection;
import java.util.concurrent.Executors;

/** Pattern switches, which call accessors and `equals`; and virtual threads. */
public final class Switches {
    sealed interface Tree {
        int size();
    }

    record Leaf(Label label) implements Tree {
        @Override
        public int size() {
            return 1;
        }
    }

    record Fork(Tree left, Tree right) implements Tree {
        @Override
        public Tree left() {
            return left;
        }

        @Override
        public int size() {
            return left.size() + right.size();
        }
    }

    record Label(String text) {}

    enum Colour {
        RED,
        BLUE;

        static Colour first() {
            return values()[0];
        }
    }

    public static void main(String[] args) throws Exception {
        Tree tree = new Fork(new Leaf(new Label("a")), new Leaf(new Label("b")));
        System.out.println(text(tree) + tree.size() + named(Colour.first()) + named("word"));
        SequencedCollection<String> words = List.of("x", "y");
        System.out.println(words.reversed().getFirst());
        Thread.ofVirtual().start(Switches::virtual).join();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            System.out.println(executor.submit(() -> submitted()).get());
        }
    }

    private static String text(Tree tree) {
        return switch (tree) {
            case Leaf(Label(String text)) when wanted(text) -> text;
            case Leaf(Label label) -> "other" + label;
            case Fork(Tree left, Tree right) -> text(left) + text(right);
        };
    }

    private static boolean wanted(String text) {
        return text.equals("a");
    }

    private static String named(Object object) {
        return switch (object) {
            case Colour.RED -> red();
            case Colour colour -> colour.name();
            case String word -> word;
            default -> "nothing";
        };
    }

    private static String red() {
        return "red";
    }

    private static void virtual() {
        System.out.println("virtual");
    }

    private static String submitted() {
        return "submitted";
    }
}
