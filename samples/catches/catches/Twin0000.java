package catches;

/** An exception whose class {@code Loaders} defines several times, also under other names. */
public final class Twin0000 extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Twin0000() {
        super(null, null, false, false);
    }
}
