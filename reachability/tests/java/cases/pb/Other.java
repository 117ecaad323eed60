package pb;

import cases.Log;

public class Other extends pa.A {
    void m() {
        Log.hit();
    }

    public static void callOther(Other other) {
        other.m();
    }
}
