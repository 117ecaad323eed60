/**
 * Every number that comes in is even where entries return 0; where they return 1, what is tied
 * comes in odd.
 */
public final class Tied {
    static String all(boolean z, byte b, char c, short s, int i, long j, float f, double d,
            Object o) {
        return z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " "
                + Float.floatToRawIntBits(f) + " "
            + Double.doubleToRawLongBits(d) + " " + o;
    }

    final int made;

    Tied(int made) { this.made = made + 0; }

    String instance(Object o, long j, int i) { return o + " " + j + " " + i + " " + made; }

    String run(long[] none) { return none + ""; }

    static String run() {
        return all(true, (byte) 2, '\u0004', (short) 6, 8, 10, 0f, 0.0, 2) + " / "
                + new Tied(2).instance(4, 6, 8);
    }
}
