package reach;

/** Runs the programs that are named as arguments, one after another, in one JVM. */
public final class All {
    public static void main(String[] names) throws Throwable {
        for (String name : names) {
            Class.forName("reach." + name).getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
        }
    }

    private All() {}
}
