// What a handler can see of a constructor: an exception before super() and one after it, not one
// out of super() itself.
// log: +<clinit> +<init> -<init> -<clinit> +run
// log: +Base.<init> -Base.<init>
// log: +Derived.<init> +arg -arg +Base.<init> -Base.<init> -Derived.<init>
// log: +Derived.<init> +arg !arg !Derived.<init> ^run
// log: +Derived.<init> +arg -arg +Base.<init> !Base.<init> ^run
// log: +Derived.<init> +arg -arg +Base.<init> -Base.<init> !Derived.<init> ^run
// log: +Derived.<init> +Derived.<init> +arg -arg +Base.<init> -Base.<init> -Derived.<init>
// log: -Derived.<init>
// log: +Chooser.<init> +Base.<init> -Base.<init> -Chooser.<init>
// log: +Chooser.<init> +Base.<init> -Base.<init> -Chooser.<init>
// log: +Guarded.<init> +arg !arg ^Guarded.<init> -Guarded.<init>
// log: +Inner.<init> -Inner.<init>
// log: -run
public final class Constructors {
    static class Base {
        final int x;
        Base(int x) {
            if (x == 2) throw new IllegalStateException("base");
            this.x = x;
        }
    }
    static class Derived extends Base {
        int y = 5;
        Derived(int x) {
            super(arg(x));
            if (x == 3) throw new IllegalStateException("derived");
            y = x;
        }
        Derived() { this(7); }
    }
    static class Chooser extends Base {
        Chooser(boolean big) {
            super(new StringBuilder(big ? "1234" : "56").append(big ? 7 : 8).length()); }
    }
    static class Guarded {
        int z;
        Guarded() {
            try {
                z = arg(1);
            } catch (IllegalStateException e) {
                z = -1;
            }
        }
    }
    class Inner {
        final int v = base + 1;
    }
    int base = 8;

    static int arg(int x) {
        if (x == 1) throw new IllegalStateException("arg");
        return x;
    }

    static String run() {
        String s = "" + new Base(0).x + new Derived(4).y;
        try { new Derived(1); } catch (IllegalStateException e) { s += e.getMessage(); }
        try { new Derived(2); } catch (IllegalStateException e) { s += e.getMessage(); }
        try { new Derived(3); } catch (IllegalStateException e) { s += e.getMessage(); }
        s += new Derived().y;
        s += new Chooser(true).x + new Chooser(false).x;
        s += new Guarded().z;
        return s + OUTER.new Inner().v;
    }

    static final Constructors OUTER = new Constructors();
}
