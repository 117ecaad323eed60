import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** One build of a class; the other lies in the sibling folder. */
@Deprecated
@FunctionalInterface
interface Marked {
    void one();
}

public class Builds {
    int field;

    static int constant() { return 42; }
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
    static int changed() { return 1; }
    static int caughtOther(Object o) {
        try {
            return o.hashCode();
        } catch (NullPointerException e) {
            return -1;
        }
    }
    static int longJump(boolean b) { return b ? 1 : 0; }
    static Object literal() { return "plain"; }

    @Deprecated int getField() { return field; }
    void setField(int x) { field = x; }
    void nothing() {}
    abstract static class Without { abstract int code(); }
}
