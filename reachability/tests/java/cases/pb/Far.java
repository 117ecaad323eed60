package pb;

import cases.Log;

public class Far extends pa.Widened {
    @Override
    public void m() {
        Log.hit();
    }
}
