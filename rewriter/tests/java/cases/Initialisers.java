// log: +run +Good.<clinit> +Good.make -Good.make -Good.<clinit>
// log: +Bad.<clinit> !Bad.<clinit> ^run ^run
// log: +Constants.<clinit> +Constants$1.<init> -Constants$1.<init> -Constants.<clinit>
// log: +Constants.make -Constants.make -run
public final class Initialisers {
    static final class Good {
        static final Object VALUE = make();
        static Object make() { return "good"; }
    }
    static final class Bad {
        static final int VALUE;
        static {
            if (System.nanoTime() != 0) throw new IllegalStateException("bad");
            VALUE = 1;
        }
    }
    interface Constants {
        Object HOLDER = new Object() {};
        static String make() { return HOLDER == null ? "null" : "holder"; }
    }

    static String run() {
        String s = "" + Good.VALUE;
        try { s += Bad.VALUE; } catch (ExceptionInInitializerError e) {
            s += e.getCause().getMessage(); }
        try { s += Bad.VALUE; } catch (NoClassDefFoundError e) { s += "ncdfe"; }
        return s + Constants.make();
    }
}
