// Frames that name the position of a `new` whose constructor has not run yet.
// log: +run +make +pick -pick -make +make +pick -pick -make +nest +pick -pick +pick -pick -nest
// log: +fail +pick -pick !fail ^run -run
public final class Uninitialised {
    static int pick(int x) { return x; }
    static String make(boolean b) {
        return new String(b ? "yes".substring(pick(1)) : "no".substring(pick(0))); }
    static String nest(int x) {
        return new StringBuilder(new String(x > 0 ? "a" : "b")).append(new String(x > pick(1) ? "c"
                : x < pick(0) ? "d" : "e")).toString();
    }
    static String fail(int x) {
        return new String(x > 0 ? "a".substring(pick(5)) : "b");
    }

    static String run() {
        String s = make(true) + make(false) + nest(1);
        try { fail(1); } catch (StringIndexOutOfBoundsException e) { s += "caught"; }
        return s;
    }
}
