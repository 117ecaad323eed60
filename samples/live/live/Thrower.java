package live;

/** A main that ends by an exception, with `inner` on the way. */
public final class Thrower {
    public static void main(String[] args) { // calls(1) throws(1)
        inner();
    }

    static void inner() { // calls(1) throws(1)
        throw new IllegalStateException("out of main");
    }

    private Thrower() {}
}
