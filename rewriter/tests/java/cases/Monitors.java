// log: +<clinit> -<clinit> +run +whole !whole ^run +block +thrower !thrower ^block !block ^run
// log: +inner +thrower !thrower ^inner -inner +ok -ok -run
public final class Monitors {
    static final Object LOCK = new Object();
    static void thrower() { throw new IllegalStateException(); }
    static synchronized void whole(Object o) { o.hashCode(); }
    static void block() {
        synchronized (LOCK) {
            thrower();
        }
    }
    static int inner() {
        synchronized (LOCK) {
            try {
                thrower();
            } catch (IllegalStateException e) {
                return Thread.holdsLock(LOCK) ? 1 : 0;
            }
        }
        return -1;
    }
    static int ok() {
        synchronized (LOCK) {
            return Thread.holdsLock(LOCK) ? 1 : 0;
        }
    }

    static String run() {
        String s = "";
        try { whole(null); } catch (NullPointerException e) {
            s += "npe" + Thread.holdsLock(Monitors.class); }
        try { block(); } catch (IllegalStateException e) { s += "ise" + Thread.holdsLock(LOCK); }
        return s + inner() + ok() + Thread.holdsLock(LOCK);
    }
}
