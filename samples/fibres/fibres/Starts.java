package fibres;

import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What starts and is no task, what is a task and never runs, and a task that nobody can follow. */
public class Starts {
    /** Nothing of it runs on another thread. */
    static class Command {
        void start() {}
    }

    /** Its start() is called twice: by the program, and by itself. */
    static class Eager extends Thread {
        @Override
        public synchronized void start() {
            super.start();
        }

        @Override
        public void run() {
            work();
        }
    }

    static class Timeout implements Runnable {
        @Override
        public void run() {
            work();
        }
    }

    static void work() {}

    static void unfollowed() {}

    static void root() throws Exception {
        for (int i = 0; i < 7; i++) new Command().start();
        Eager eager = new Eager();
        eager.start();
        eager.join();
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        pool.submit(new Timeout()).get();
        for (int i = 0; i < 3; i++) pool.schedule(new Timeout(), 1, TimeUnit.HOURS).cancel(true);
        FutureTask<Object> future = new FutureTask<>(Starts::unfollowed, null);
        pool.execute(future);
        future.get();
        pool.shutdownNow();
    }

    public static void main(String[] args) throws Exception {
        root();
    }
}
