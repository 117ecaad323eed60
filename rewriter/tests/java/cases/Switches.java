// Switches at all four paddings, dense and sparse, with returns in their cases.
// log: +run +p0 -p0 +p0 -p0 +p1 -p1 +p1 -p1 +p2 -p2 +p2 -p2 +p3 -p3 +p3 -p3
// log: +s0 -s0 +s0 -s0 +s1 -s1 +s1 -s1 +s2 -s2 +s2 -s2 +s3 -s3 +s3 -s3 +word -word +word -word
// log: +Kind.<clinit> +Kind.<init> -Kind.<init> +Kind.<init> -Kind.<init> +Kind.$values
// log: -Kind.$values -Kind.<clinit> +kind +1.<clinit> +Kind.values -Kind.values -1.<clinit> -kind
// log: -run
public final class Switches {
    enum Kind { A, B }

    static int p0(int x) { switch (x) { case 1: return 10; case 2: return 20; case 3: x++;
        default: return x; } }
    static int p1(int x) { x++; switch (x) { case 2: return 10; case 3: return 20;
        default: return x; } }
    static int p2(int y, int x) { int z = x; switch (z) { case 1: return 10; case 2: return 20;
        default: return y; } }
    static int p3(int x) { int a = x, b = a; switch (b) { case 1: return 10; case 2: return 20;
        default: return a; } }
    static int s0(int x) { switch (x) { case 1: return 10; case 2000: return 20; case -3: x++;
        default: return x; } }
    static int s1(int x) { x++; switch (x) { case 2: return 10; case 3000: return 20;
        default: return x; } }
    static int s2(int y, int x) { int z = x; switch (z) { case 1: return 10; case 2000: return 20;
        default: return y; } }
    static int s3(int x) { int a = x, b = a; switch (b) { case 1: return 10; case 2000: return 20;
        default: return a; } }
    static int word(String s) {
        switch (s) {
            case "one": return 1;
            case "two": return 2;
            default: return 0;
        }
    }
    static String kind(Kind k) {
        switch (k) {
            case A: return "a";
            default: return "b";
        }
    }

    static String run() {
        return p0(1) + " " + p0(3) + " " + p1(1) + " " + p1(9) + " " + p2(5, 2) + " " + p2(5, 7)
                + " " + p3(1) + " " + p3(8)
            + " " + s0(2000) + " " + s0(-3) + " " + s1(2999) + " " + s1(9) + " " + s2(5, 1) + " "
                    + s2(5, 7) + " " + s3(2000)
            + " " + s3(8) + word("two") + word("x") + kind(Kind.B);
    }
}
