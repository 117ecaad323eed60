import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;

/**
 * One of each shape of code that a splice has to carry through; run() gives a text that says what
 * happened.
 */
public class Shapes {
    @Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) @interface A {
        String[] value() default {}; }

    static final StringBuilder log = new StringBuilder();

    static class Base {
        final int x;
        Base(int x) { this.x = x; if (x > 1000) throw new IllegalArgumentException("big " + x); }
    }

    static class Derived extends Base {
        Derived(boolean b, String s) { super(b ? s.length() : Integer.parseInt(s));
            log.append("derived ").append(x); }
        Derived(String s) { this(s.isEmpty() || s.charAt(0) > '9',
                new String(new StringBuilder(s.isEmpty() ? "e" : s))); }
        Derived(Object o) { super(o instanceof Integer i ? new Derived("q" + i).x : 7); try {
            log.append(o.getClass().getName().length()); } finally { log.append('f'); } }
    }

    class Inner { int outer() { return Shapes.this.field; } }
    int field = 5;

    enum Color { RED, GREEN, BLUE; Color next() { return values()[(ordinal() + 1) % 3]; } }
    record Point(int x, double y) { Point { if (x < 0) throw new IllegalStateException(); } }
    interface Shape { default String name() { return secret() + getClass().getSimpleName();
        } private String secret() { return "s:"; } static int two() { return 2; } }
    static class Square implements Shape { }

    static int loopAtStart(int n) { do { n = n * 3 + 1; } while (n < 1000); return n; }
    static void forever(Iterator<Integer> numbers) { while (true) { if (!numbers.hasNext()) return;
        log.append(numbers.next()); } }

    static String table(int i) {
        switch (i) { case 1: return "one"; case 2: return "two"; case 3: case 4: return "few";
            case 7: break; default: return "many"; }
        return "seven";
    }
    static int lookup(int i) { switch (i) { case -5: return 1; case 1000: return 2;
        case 100000: return 3; default: return switchInLoop(i); } }
    static int switchInLoop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) switch (i % 5) { case 0: sum += 1; break; case 1: sum += i;
            continue; case 2: sum ^= 7; default: sum -= 2; }
        return sum;
    }
    static String strings(String s) { return switch (s) { case "a", "b" -> "ab";
        case "Aa", "BB" -> "hash"; default -> { String t = s + s; yield t; } }; }
    static int color(Color c) { return switch (c) { case RED -> 1; case GREEN -> 2; case BLUE -> 3;
        }; }

    static int tryAll(int k) {
        int r = 0;
        try {
            try { if (k == 0) throw new RuntimeException("0"); if (k == 1) return r + 10;
                if (k == 2) throw new Error("2"); r += 3; }
            catch (RuntimeException e) { r += e.getMessage().length();
                if (k == 0) throw new IllegalStateException(e); }
            finally { r += 100; log.append('F').append(r); }
        } catch (IllegalStateException | Error e) { long z = k; double d = 0.5;
            r += (int) (z + d) + 1000; }
        return r;
    }
    static int nestedFinally(int k) { for (;;) { try { try { if (k > 2) break; k++; } finally {
        if (k == 2) continue; log.append(k); } } finally { log.append('|'); } } return k; }

    static final Object lock = new Object();
    static int locked(int k) { synchronized (lock) { synchronized (log) { try {
        if (k == 1) throw new IllegalArgumentException(); return k * 2;
        } catch (IllegalArgumentException e) { return -1; } } } }
    static synchronized int lockedMethod(int k) { return k > 3 ? k : lockedMethod(k + 1); }

    static long wide(int n) {
        long v0=1,v1=2,v2=3,v3=4,v4=5,v5=6,v6=7,v7=8,v8=9,v9=10,w0=1,w1=2,w2=3,w3=4,w4=5,w5=6,w6=7,
                w7=8,w8=9,w9=10;
        long a0=1,a1=2,a2=3,a3=4,a4=5,a5=6,a6=7,a7=8,a8=9,a9=10,b0=1,b1=2,b2=3,b3=4,b4=5,b5=6,b6=7,
                b7=8,b8=9,b9=10;
        long c0=1,c1=2,c2=3,c3=4,c4=5,c5=6,c6=7,c7=8,c8=9,c9=10,d0=1,d1=2,d2=3,d3=4,d4=5,d5=6,d6=7,
                d7=8,d8=9,d9=10;
        long e0=1,e1=2,e2=3,e3=4,e4=5,e5=6,e6=7,e7=8,e8=9,e9=10,f0=1,f1=2,f2=3,f3=4,f4=5,f5=6,f6=7,
                f7=8,f8=9,f9=10;
        long g0=1,g1=2,g2=3,g3=4,g4=5,g5=6,g6=7,g7=8,g8=9,g9=10,h0=1,h1=2,h2=3,h3=4,h4=5,h5=6,h6=7,
                h7=8,h8=9,h9=10;
        long i0=1,i1=2,i2=3,i3=4,i4=5,i5=6,i6=7,i7=8,i8=9,i9=10,j0=1,j1=2,j2=3,j3=4,j4=5,j5=6,j6=7,
                j7=8,j8=9,j9=10;
        long k0=1,k1=2,k2=3,k3=4,k4=5,k5=6,k6=7,k7=8,k8=9,k9=10; int far = 3; double dd = 1.5;
            float ff = 2.5f; Object oo = "x";
        for (int i = 0; i < n; i++) { far += 1000; k9 += far; if (k9 % 2 == 0) dd *= 2;
            else ff += 1; oo = i; }
        return k9 + far + (long) dd + (long) ff + oo.hashCode() + v0 + j9 + d9;
    }

    static String typed(List<? extends Comparable<String>> in, Object o) {
        @A("x") String s = (@A({"y", "z"}) String) o;
        for (@A Object e : in) { @A int n = 3; if (e instanceof @A Comparable c && n > 2) s += c; }
        try { s += new @A StringBuilder(s).reverse(); } catch (@A("c") RuntimeException e) { s += e;
            }
        Supplier<@A Object> q = @A Object::new;
        return s + (q.get() != null);
    }

    static String lambdas(int base) {
        IntUnaryOperator op = v -> v + base; Function<Integer, int[]> arrays = int[]::new;
        Runnable r = () -> { try { log.append(op.applyAsInt(4)); } finally { log.append(';'); } };
        r.run();
        return op.andThen(v -> v * 2).applyAsInt(1) + " " + arrays.apply(3).length;
    }

    static Object pending(boolean b, int[] a) { return new Object[] {
        new int[b ? 1 : 2], new StringBuilder(b ? new String("p" + (a == null ? "n" : a.length))
            : "q").toString(), new long[2][b ? 3 : 4] }; }
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    static boolean conditions(int a, long b, Object o, double d) {
        return a < 0 == b > 0L && o != null ? d >= 1.0 || a != 3 : !(o == lock) ^ (a <= 2 & d < 0);
        }
    static native void nothing();

    static String run() {
        log.setLength(0);
        StringBuilder out = new StringBuilder();
        for (String s : new String[] { "", "x", "12", "99999" }) {
            try { out.append(new Derived(s).x).append(','); } catch (RuntimeException e) {
                out.append(e).append(','); }
        }
        try { out.append(new Derived((Object) 4).x).append(new Derived(new Object[0]).x != 7);
            } catch (RuntimeException e) { out.append(e); }
        out.append(new Shapes().new Inner().outer()).append(Color.BLUE.next());
        out.append(new Point(3, 0.5)).append(new Square().name()).append(Shape.two());
        try { new Point(-1, 0); } catch (IllegalStateException e) { out.append("neg"); }
        out.append(loopAtStart(1)); forever(List.of(1, 2, 3).iterator());
        for (int i = 0; i < 9; i++) {
            out.append(table(i)).append(i < 4 ? tryAll(i) : 0);
            out.append(nestedFinally(i)).append(locked(i));
        }
        for (int i : new int[] { -5, 1000, 100000, 23 }) out.append(lookup(i)).append(' ');
        for (String s : new String[] { "a", "BB", "c" }) out.append(strings(s));
        for (Color c : Color.values()) out.append(color(c));
        out.append(lockedMethod(1)).append(' ').append(wide(10)).append(' ')
                .append(typed(List.of("p", "q"), "start")).append(lambdas(5));
        Object[] p = (Object[]) pending(true, new int[3]), q = (Object[]) pending(false, null);
        out.append(((int[]) p[0]).length).append(p[1]).append(((long[][]) q[2])[1].length)
                .append(deep(50));
        for (int a = -1; a < 4; a++) {
            out.append(conditions(a, a - 1, a == 2 ? lock : null, a * 0.7));
        }
        return out.append(log).toString();
    }
}
