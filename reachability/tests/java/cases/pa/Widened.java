package pa;

import cases.Log;

public class Widened extends A {
    @Override
    public void m() {
        Log.hit();
    }
}
