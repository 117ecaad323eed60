// A loop whose head is the method's first instruction: the branch back to it must not run the entry
// probe again.
// log: +run +head -head +headOrReturn -headOrReturn +doWhile -doWhile -run
public final class Loops {
    static int count;
    static void head() {
        while (true) {
            if (count++ > 3) return;
        }
    }
    static void headOrReturn() {
        for (;;) {
            if (count > 10) return;
            count++;
        }
    }
    static int doWhile(int n) {
        do {
            n--;
        } while (n > 0);
        return n;
    }

    static String run() {
        head();
        headOrReturn();
        return "" + count + doWhile(4);
    }
}
