// log: +run +of +<init> -<init> -of +numbers -numbers +loop -loop +slots -slots +bits -bits +swap
// log: -swap +fails !fails ^run -run
public final class Pins {
    final int base;

    private Pins(int base) { this.base = base; }

    static Pins of(int base, double unused) { return new Pins(base); }

    String numbers(boolean z, byte b, char c, short s, int i, long j, float f, double d,
            String text, long[] last) {
        return z + " " + b + " " + (int) c + " " + s + " " + (base + i) + " " + j + " " + f + " "
                + d + " " + text + last[0];
    }

    /** A loop whose head may be the first instruction. */
    static int loop(int n, long step) {
        while (n > 0) n -= (int) step;
        return n;
    }

    /** The slots of the arguments hold other types later. */
    static String slots(int a, long b, double c) {
        String text;
        if (a > 0) {
            float g = (float) c;
            text = "" + g + b;
        } else {
            text = "none";
        }
        {
            Object o = text;
            for (int i = 0; i < 2; i++) o = o + "" + i;
            return o + " " + a;
        }
    }

    static String bits(float f, double d, float zero, double nought) {
        return Integer.toHexString(Float.floatToRawIntBits(f))
                + Long.toHexString(Double.doubleToRawLongBits(d))
            + 1 / zero + 1 / nought;
    }

    static int swap(int a, int b) {
        int t = a;
        a = b;
        b = t;
        return a * 10 + b;
    }

    static long fails(long by, int of) { return of / by; }

    static String run() {
        String s = of(7, 1.5).numbers(true, (byte) -1, '\uffff', Short.MIN_VALUE, -5,
                Long.MIN_VALUE, 1.1f, -2.2, "x", new long[1]);
        s += loop(10, 3L) + slots(1, 2, 3);
        s += bits(Float.intBitsToFloat(0xffc12345), Double.longBitsToDouble(0x7ff8abcdef012345L),
                -0f, -0.0);
        s += swap(1, 2);
        try {
            fails(0, 3);
        } catch (ArithmeticException e) {
            s += " caught";
        }
        return s;
    }
}
