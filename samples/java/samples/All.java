package samples;

/** Runs the samples that are named as arguments, one after another, in one JVM. */
public final class All {
    public static void main(String[] names) throws Throwable {
        for (String name : names) {
            System.out.println("== " + name);
            try {
                Class.forName("samples." + name).getMethod("main", String[].class)
                        .invoke(null, (Object) new String[0]);
            } catch (java.lang.reflect.InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    private All() {}
}
