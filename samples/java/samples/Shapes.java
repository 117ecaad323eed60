package samples;

/**
 * Code shapes that are hard to move: branches to the first instruction, switches, wide operands,
 * long methods.
 */
public final class Shapes {
    public static void main(String[] args) { // calls(1)
        long sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += backToStart(i) + forever(i) + table(i) + lookup(i * 1000) + wide(i) + labels(i)
                    + ternaries(i) + handlers(i);
        }
        System.out.println("shapes " + sum + " " + concat(7, 2L, 1.5, 'c', "s", null));
    }

    static int backToStart(int n) { // calls(20)
        do {
            n--;
        } while (n > 0);
        return n;
    }

    static int forever(int n) { // calls(20)
        for (; ; ) {
            if (n-- < 0) {
                return n;
            }
        }
    }

    static int table(int n) { // calls(20)
        switch (n) {
            case 0: return 3;
            case 1: return 1;
            case 2: case 3: return 4;
            case 4: n++;
            case 5: return n;
            case 6: break;
            case 7: return 9;
            case 9: return 2;
            default: return 6;
        }
        return -1;
    }

    static int lookup(int n) { // calls(20)
        switch (n) {
            case 1000: return 5;
            case 3000: return 3;
            case 19000: return 8;
            default: return n / 1000;
        }
    }

    static long wide(int n) { // calls(20)
        long a00 = n, a01 = 1, a02 = 2, a03 = 3, a04 = 4, a05 = 5, a06 = 6, a07 = 7, a08 = 8,
                a09 = 9, a10 = 10, a11 = 11;
        double b00 = n, b01 = 1, b02 = 2, b03 = 3, b04 = 4, b05 = 5, b06 = 6, b07 = 7, b08 = 8,
                b09 = 9, b10 = 10, b11 = 11;
        long c00 = n, c01 = 1, c02 = 2, c03 = 3, c04 = 4, c05 = 5, c06 = 6, c07 = 7, c08 = 8,
                c09 = 9, c10 = 10, c11 = 11;
        long d00 = n, d01 = 1, d02 = 2, d03 = 3, d04 = 4, d05 = 5, d06 = 6, d07 = 7, d08 = 8,
                d09 = 9, d10 = 10, d11 = 11;
        double e00 = n, e01 = 1, e02 = 2, e03 = 3, e04 = 4, e05 = 5, e06 = 6, e07 = 7, e08 = 8,
                e09 = 9, e10 = 10, e11 = 11;
        long f00 = n, f01 = 1, f02 = 2, f03 = 3, f04 = 4, f05 = 5, f06 = 6, f07 = 7, f08 = 8,
                f09 = 9, f10 = 10, f11 = 11;
        long g00 = n, g01 = 1, g02 = 2, g03 = 3, g04 = 4, g05 = 5, g06 = 6, g07 = 7, g08 = 8,
                g09 = 9, g10 = 10, g11 = 11;
        long h00 = n, h01 = 1, h02 = 2, h03 = 3, h04 = 4, h05 = 5, h06 = 6, h07 = 7, h08 = 8,
                h09 = 9, h10 = 10, h11 = 11;
        long i00 = n, i01 = 1, i02 = 2, i03 = 3, i04 = 4, i05 = 5, i06 = 6, i07 = 7, i08 = 8,
                i09 = 9, i10 = 10, i11 = 11;
        long j00 = n, j01 = 1, j02 = 2, j03 = 3, j04 = 4, j05 = 5, j06 = 6, j07 = 7, j08 = 8,
                j09 = 9, j10 = 10, j11 = 11;
        long k00 = n, k01 = 1, k02 = 2, k03 = 3, k04 = 4, k05 = 5, k06 = 6, k07 = 7, k08 = 8,
                k09 = 9, k10 = 10, k11 = 11;
        int last = n;
        for (int k = 0; k < 3; k++) {
            last += 1000;
        }
        return last + a00 + a11 + (long) b00 + (long) b11 + c00 + c11 + d00 + d11 + (long) e11 + f11
                + g11 + h11 + i11 + j11 + k00 + k11
                + a01 + a02 + a03 + a04 + a05 + a06 + a07 + a08 + a09 + a10 + c01 + c02 + c03 + c04
                        + c05 + c06 + c07 + c08 + c09 + c10
                + (long) (b01 + b02 + b03 + b04 + b05 + b06 + b07 + b08 + b09 + b10 + e00 + e01
                        + e02 + e03 + e04 + e05 + e06 + e07 + e08)
                + (long) (e09 + e10) + d01 + d02 + d03 + d04 + d05 + d06 + d07 + d08 + d09 + d10
                        + f00 + f01 + f02 + f03 + f04 + f05 + f06
                + f07 + f08 + f09 + f10 + g00 + g01 + g02 + g03 + g04 + g05 + g06 + g07 + g08 + g09
                        + g10 + h00 + h01 + h02 + h03 + h04
                + h05 + h06 + h07 + h08 + h09 + h10 + i00 + i01 + i02 + i03 + i04 + i05 + i06 + i07
                        + i08 + i09 + i10 + j00 + j01 + j02
                + j03 + j04 + j05 + j06 + j07 + j08 + j09 + j10 + k01 + k02 + k03 + k04 + k05 + k06
                        + k07 + k08 + k09 + k10;
    }

    static int labels(int n) { // calls(20)
        int sum = 0;
        outer:
        for (int i = 0; i < 5; i++) {
            for (int k = 0; k < 5; k++) {
                if (k == n % 5) {
                    continue outer;
                }
                if (i == 4) {
                    break outer;
                }
                sum += k;
            }
        }
        return sum;
    }

    static int ternaries(int n) { // calls(20)
        Object o = n > 10 ? n > 15 ? (Object) "a" : Integer.valueOf(n) : n > 5 ? (Object) 2.5
                : new int[] {n};
        return o instanceof String ? 1 : o instanceof Integer ? 2 : o instanceof Double ? 3 : 4;
    }

    static int handlers(int n) { // calls(20) caught(16)
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            try {
                try {
                    sum += 12 / (n % 4 == i ? 0 : 1 + i);
                } catch (ArithmeticException e) {
                    sum += Integer.parseInt(n == 0 ? "x" : "1");
                }
            } catch (NumberFormatException e) {
                sum += 100;
            }
        }
        return sum;
    }

    static String concat(int a, long b, double c, char d, String e, Object f) { // calls(1)
        return a + "-" + b + "-" + c + "-" + d + "-" + e + "-" + f;
    }

    private Shapes() {}
}
