package reach;

import java.util.function.Supplier;

/** Interface methods of all kinds, bridges and covariant returns. */
public final class Defaults {
    interface Named {
        default String name() {
            return prefix() + suffix();
        }

        private String prefix() {
            return "<";
        }

        static String of(Named named) {
            return named.name();
        }

        String suffix();
    }

    interface Loud extends Named {
        @Override
        default String name() {
            return Named.super.name().toUpperCase();
        }
    }

    interface Quiet extends Named {
        @Override
        default String name() {
            return "quiet";
        }
    }

    static class Both implements Loud, Quiet {
        @Override
        public String name() {
            return Loud.super.name() + Quiet.super.name();
        }

        @Override
        public String suffix() {
            return "both";
        }
    }

    abstract static class Partial implements Named {
        String shown() {
            return name();
        }
    }

    static class Whole extends Partial {
        @Override
        public String suffix() {
            return "whole";
        }
    }

    abstract static class Maker<T extends Comparable<T>> implements Supplier<T> {
        abstract T make();

        @Override
        public T get() {
            return make();
        }
    }

    static class Words extends Maker<String> {
        @Override
        String make() {
            return "word";
        }
    }

    static class Node implements Cloneable {
        Node self() {
            return this;
        }

        @Override
        public Node clone() throws CloneNotSupportedException {
            return (Node) super.clone();
        }
    }

    static class Leaf extends Node {
        @Override
        Leaf self() {
            return this;
        }
    }

    public static void main(String[] args) throws CloneNotSupportedException {
        System.out.println(Named.of(new Both()) + new Whole().shown());
        Supplier<String> words = new Words();
        Node node = new Leaf();
        System.out.println(words.get() + (node.self() == node) + (node.clone() == node));
        Named lambda = () -> "lambda";
        System.out.println(lambda.name());
    }
}
