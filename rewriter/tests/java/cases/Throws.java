// Every way in which an exception meets a method: out of it, through it, caught in it, thrown
// again, in a finally.
// log: +run
// log: +catches +thrower !thrower ^catches -catches
// log: +through1 +through2 +thrower !thrower !through2 !through1 ^run
// log: +again +thrower !thrower ^again !again ^run
// log: +finallyBoth -finallyBoth
// log: +finallyBoth +thrower !thrower ^finallyBoth !finallyBoth ^run
// log: +replaced +thrower !thrower ^replaced -replaced
// log: +implicit !implicit ^run
// log: +loop +thrower !thrower ^loop +thrower !thrower ^loop -loop
// log: +resource +Res.<init> -Res.<init> +thrower !thrower ^resource +Res.close -Res.close
// log: !resource ^run
// log: +multi ^multi -multi
// log: +nested +thrower !thrower ^nested ^nested -nested
// log: +read !read ^run +write !write ^run
// log: -run
public final class Throws {
    private int field;
    static final class Res implements AutoCloseable {
        @Override public void close() {}
    }

    static int thrower(int x) {
        if (x >= 0) throw new IllegalStateException("t" + x);
        return x;
    }
    static int catches() {
        try {
            return thrower(1);
        } catch (IllegalStateException e) {
            return 10;
        }
    }
    static int through1() { return through2() + 1; }
    static int through2() { return thrower(2) + 1; }
    static int again() {
        try {
            return thrower(3);
        } catch (IllegalStateException e) {
            throw e;
        }
    }
    static int finallyBoth(boolean fail) {
        int x = 0;
        try {
            if (fail) x = thrower(4);
            return x;
        } finally {
            x++;
        }
    }
    @SuppressWarnings("finally")
    static int replaced() {
        try {
            return thrower(5);
        } finally {
            return 50;
        }
    }
    static int implicit(Object o) { return o.hashCode(); }
    static int loop() {
        int n = 0;
        for (int i = 0; i < 2; i++) {
            try {
                n += thrower(i);
            } catch (IllegalStateException e) {
                n += 100;
            }
        }
        return n;
    }
    static int resource() {
        try (Res r = new Res()) {
            return thrower(6);
        }
    }
    static int multi(int x) {
        try {
            return x / 0;
        } catch (ArithmeticException | IllegalStateException e) {
            return 7;
        }
    }
    static int nested() {
        try {
            try {
                return thrower(8);
            } catch (IllegalStateException e) {
                throw new IllegalArgumentException(e);
            }
        } catch (IllegalArgumentException e) {
            return 8;
        }
    }

    // As short as accessors of this, but their object may be null.
    static int read(Throws of) { return of.field; }
    static void write(Throws of, int value) { of.field = value; }

    static String run() {
        String s = "" + catches();
        try { through1(); } catch (IllegalStateException e) { s += e.getMessage(); }
        try { again(); } catch (IllegalStateException e) { s += e.getMessage(); }
        s += finallyBoth(false);
        try { finallyBoth(true); } catch (IllegalStateException e) { s += e.getMessage(); }
        s += replaced();
        try { implicit(null); } catch (NullPointerException e) { s += "npe"; }
        s += loop();
        try { resource(); } catch (IllegalStateException e) { s += e.getMessage(); }
        s += multi(1) + nested();
        try { read(null); } catch (NullPointerException e) { s += "npe"; }
        try { write(null, 1); } catch (NullPointerException e) { s += "npe"; }
        return s;
    }
}
