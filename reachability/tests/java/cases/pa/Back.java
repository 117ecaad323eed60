package pa;

import cases.Log;

public class Back extends pb.Other {
    void m() {
        Log.hit();
    }
}
