// log: +run +i -i +l -l +f -f +d -d +a -a +b -b +early -early +early -early +v -v +v -v +empty
// log: -empty -run
public final class Returns {
    static int i(int x) { return x + 1; }
    static long l(long x) { return x + 1; }
    static float f(float x) { return x + 1; }
    static double d(double x, double y) { return x + y * (x - y); }
    static Object a(Object x) { return x; }
    static boolean b() { return true; }
    static int early(int x) {
        if (x > 3) return x * 2;
        if (x > 2) return x * 3;
        return -x;
    }
    static void v(int[] x) {
        if (x.length == 0) return;
        x[0]++;
    }
    static void empty() {}

    static String run() {
        int[] cell = {4};
        String s = i(1) + " " + l(1L << 40) + " " + f(1.5f) + " " + d(2, 3) + " " + a("x") + " "
                + b() + " " + early(5) + early(1);
        v(new int[0]);
        v(cell);
        empty();
        return s + cell[0];
    }
}
