// log: +<clinit> +<init> -<init> +<init> -<init> -<clinit> +run
// log: +staticByte -staticByte +staticChar -staticChar +staticShort -staticShort +staticInt
// log: -staticInt +staticLong -staticLong
// log: +staticFloat -staticFloat +staticDouble -staticDouble +volatileLong -volatileLong
// log: +volatileDouble -volatileDouble
// log: +ownByte -ownByte +ownChar -ownChar +ownShort -ownShort +ownInt -ownInt +ownLong -ownLong
// log: +ownFloat -ownFloat +ownDouble -ownDouble
// log: +through -through +through !through ^run +element -element +behindFlag -behindFlag +loop
// log: -loop +caught ^caught -caught
// log: +again -again +branch -branch +fresh -fresh +called +staticInt -staticInt -called
// log: +gives +Task.<init> -Task.<init> +schedule +Task.run -Task.run -schedule -gives
// log: +Task.<init> -Task.<init> +Task.run -Task.run -run
import java.util.concurrent.TimeUnit;

/** Methods without numeric arguments that read fields first. Every number in a field is even. */
public final class Reads {
    static boolean flag = true;
    static byte sb = 2;
    static char sc = 4;
    static short ss = 6;
    static int si = 8;
    static long sj = 1L << 40;
    static float sf = Float.intBitsToFloat(0x7fc12344);
    static double sd = -0.0;
    static volatile long vj = 12;
    static volatile double vd = Double.longBitsToDouble(0xfff8abcdef012344L);
    static int nought, sum;
    static final int[] array = {14};
    static final Reads that = new Reads(new Reads(null));

    byte ib = -2;
    char ic = '\ufffe';
    short is = -6;
    int ii = Integer.MIN_VALUE;
    long ij = Long.MIN_VALUE;
    float if_ = -0f;
    double id = Double.longBitsToDouble(0x7ff8abcdef012344L);
    final Reads next;

    Reads(Reads next) { this.next = next; }

    static int staticByte() { return sb + 0; }
    static int staticChar() { return sc + 0; }
    static int staticShort() { return ss + 0; }
    static int staticInt() { return si + 0; }
    static long staticLong() { return sj + 0L; }
    static String staticFloat() { return Integer.toHexString(Float.floatToRawIntBits(sf)); }
    static String staticDouble() { return Long.toHexString(Double.doubleToRawLongBits(sd)); }
    static long volatileLong() { return vj + 0L; }
    static String volatileDouble() { return Long.toHexString(Double.doubleToRawLongBits(vd)); }

    int ownByte() { return ib + 0; }
    int ownChar() { return ic + 0; }
    int ownShort() { return is + 0; }
    int ownInt() { return ii + 0; }
    long ownLong() { return ij + 0L; }
    String ownFloat() { return Integer.toHexString(Float.floatToRawIntBits(if_)); }
    String ownDouble() { return Long.toHexString(Double.doubleToRawLongBits(id)); }

    /** The number lies behind a reference. */
    long through() { return next.ij + 0L; }

    /** And here behind numbers that no field holds; 4.5 and 4 words lie on the stack below it. */
    static double element() { return 4.5 + (array[0] + array.length + (long) si); }

    static String behindFlag() {
        boolean copy = flag;
        int read = si;
        return copy ? "set " + read : "not " + read;
    }

    static int loop() {
        int n = si;
        for (int i = 0; i < 2; i++) n += 2;
        return n;
    }

    static int caught() {
        int n = 0;
        try {
            n = si;
            return n / nought;
        } catch (ArithmeticException e) {
            return n;
        }
    }

    /** The first instruction is the head of a loop. */
    static int again() {
        do sum += 2; while (sum < 8);
        return sum;
    }

    static int branch() { return flag ? si + 0 : 0; }

    static int fresh() { return new int[2].length + si; }

    static int called() { return staticInt() + si; }

    static final class Task implements Runnable {
        int runs = 2;
        @Override public void run() { runs += 2; }
    }

    /** The name and the parameters of what hands a task off. */
    static String schedule(Runnable task, long delay, TimeUnit unit) {
        task.run();
        return delay + " " + unit;
    }

    /** Its first number goes over a call site that keeps arguments in local variables. */
    static String gives() {
        long delay = sj;
        Task task = new Task();
        String answer = schedule(task, delay, TimeUnit.SECONDS);
        return answer + task.runs;
    }

    static String run() {
        String s = staticByte() + " " + staticChar() + " " + staticShort() + " " + staticInt() + " "
                + staticLong() + " "
            + staticFloat() + " " + staticDouble() + " " + volatileLong() + " " + volatileDouble();
        s += " / " + that.ownByte() + " " + that.ownChar() + " " + that.ownShort() + " "
                + that.ownInt() + " "
            + that.ownLong() + " " + that.ownFloat() + " " + that.ownDouble();
        s += " / " + that.through();
        try {
            that.next.through();
        } catch (NullPointerException e) {
            s += " null";
        }
        s += " " + element() + " " + behindFlag() + " " + loop() + " " + caught();
        s += " / " + again() + " " + branch() + " " + fresh() + " " + called() + " / " + gives();
        Task task = new Task();
        task.run();
        return s + " " + task.runs;
    }
}
