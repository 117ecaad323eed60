package samples;

import java.util.concurrent.locks.LockSupport;

/** What a probe must not take from a thread: its interrupt, its permit, its context, its locks. */
public final class Manners {
    private static int calls;

    public static void main(String[] args) throws InterruptedException { // calls(1)
        Thread.currentThread().interrupt();
        many(2_000);
        System.out.println("interrupted " + Thread.interrupted() + " " + Thread.interrupted());

        LockSupport.unpark(Thread.currentThread());
        many(2_000);
        LockSupport.park();
        System.out.println("permit kept");

        Thread.currentThread().interrupt();
        try {
            pause();
        } catch (InterruptedException e) {
            System.out.println("woken " + Thread.currentThread().isInterrupted());
        }

        ThreadLocal<String> local = ThreadLocal.withInitial(() -> "mine");
        local.get();
        many(100);
        ClassLoader loader = Manners.class.getClassLoader();
        System.out.println(local.get() + " "
                + Thread.currentThread().getContextClassLoader().equals(loader) + " "
                + Thread.holdsLock(Manners.class) + " "
                + Thread.currentThread().getName() + " "
                + calls);
    }

    static void many(int times) { // calls(3)
        for (int i = 0; i < times; i++) {
            once();
        }
    }

    static void once() { // calls(4100)
        calls++;
    }

    static void pause() throws InterruptedException { // calls(1) throws(1)
        Thread.sleep(60_000);
    }

    private Manners() {}
}
