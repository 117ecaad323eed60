package samples;

/** Synchronized methods and blocks, waiting and notifying. */
public final class Sync {
    private static final int TURNS = 200;
    private final Object lock = new Object();
    private int count;
    private boolean ping = true;

    public static void main(String[] args) throws InterruptedException { // calls(1)
        Sync sync = new Sync();
        Thread other = new Thread(() -> sync.play(false));
        other.start();
        sync.play(true);
        other.join();
        Thread[] adders = new Thread[4];
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new Thread(() -> {
                for (int k = 0; k < 250; k++) {
                    sync.add();
                    sync.addInBlock();
                }
            });
            adders[i].start();
        }
        for (Thread adder : adders) {
            adder.join();
        }
        nested(5);
        System.out.println("sync " + sync.count);
    }

    private void play(boolean mine) { // calls(2)
        for (int i = 0; i < TURNS; i++) {
            turn(mine);
        }
    }

    private void turn(boolean mine) { // calls(400)
        synchronized (lock) {
            while (ping != mine) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            ping = !ping;
            count++;
            lock.notifyAll();
        }
    }

    private synchronized void add() { // calls(1000)
        synchronized (lock) {
            count++;
        }
    }

    private void addInBlock() { // calls(1000)
        synchronized (this) {
            synchronized (lock) {
                count++;
            }
        }
    }

    private static synchronized int nested(int depth) { // calls(6)
        return depth == 0 ? 0 : 1 + nested(depth - 1);
    }

    private Sync() {}
}
