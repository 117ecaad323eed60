// Lambdas, method references, bridges, default, static and private interface methods, recursion.
// log: +run +lambda$run$0 -lambda$run$0 +twice -twice +Typed.<init> -Typed.<init> +Typed.get
// log: +Typed.get -Typed.get -Typed.get
// log: +Greeter.greet +Greeter.name -Greeter.name -Greeter.greet +Greeter.shout -Greeter.shout
// log: +even +odd +even -even -odd -even +fact +fact +fact -fact -fact -fact
// log: +Rec.<init> -Rec.<init> +Rec.x -Rec.x -run
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

public final class Calls {
    interface Greeter {
        default String greet() { return "hi " + name(); }
        private String name() { return "you"; }
        static String shout() { return "HI"; }
    }
    static final class Typed implements Supplier<String>, Greeter {
        @Override public String get() { return "typed"; }
    }
    record Rec(int x) {}

    static int twice(int x) { return 2 * x; }
    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }
    static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }

    static String run() {
        IntUnaryOperator plus = x -> x + 1, twice = Calls::twice;
        String s = "" + plus.applyAsInt(1) + twice.applyAsInt(2);
        Supplier<String> typed = new Typed();
        s += typed.get() + ((Greeter) typed).greet() + Greeter.shout();
        return s + even(2) + fact(3) + new Rec(3).x();
    }
}
