package pa;

import cases.Log;

public class A {
    void m() {
        Log.hit();
    }

    public static void callM(A a) {
        a.m();
    }
}
