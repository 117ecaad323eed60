import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The other build: the pool is filled with more, lambdas have other numbers, lines have moved, a
 * few bodies differ.
 */
@Deprecated
@FunctionalInterface
interface Marked {
    void one();
}

public class Builds {
    static final String MORE = "more", YET_MORE = "yet more";
    static double unrelated() { return 3.25 + 7_000_000_000L; }
    static IntSupplier unrelatedLambda() { return () -> 17; }
    static String unrelatedStrings(String a) {
        return a + MORE + YET_MORE + unrelatedLambda().getAsInt(); }
    int field;

    static int constant() {
        return 42;
    }
    static int branches(int x) {
        int sum = 0;
        for (int i = 0; i < x; i++) {
            sum += switch (i) { case 1 -> 5; case 700 -> 6; default -> i; };
        }
        return sum;
    }
    static String strings(String s) { return s + " and " + s.length(); }
    Supplier<String> lambda() { return () -> "lambda" + field; }
    static int caught(Object o) {
        try {
            return o.hashCode();
        } catch (NullPointerException e) {
            return -1;
        }
    }
    Builds self(Builds[] others) { return others[0]; }
    static int changed() { return 2; }
    static int caughtOther(Object o) {
        try {
            return o.hashCode();
        } catch (IllegalStateException e) {
            return -1;
        }
    }
    static int longJump(boolean b) { return b ? 0 : 1; }
    static Object literal() { return "plain?"; }

    @Deprecated int getField() { return field; }
    void setField(int x) { field = x; }
    void nothing() {}
    abstract static class Without { abstract int code(); }
}
