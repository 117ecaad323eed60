package reach;

import java.util.concurrent.ThreadFactory;

/** What runs because a thread was started. */
public final class Threads {
    static final class Worker extends Thread {
        @Override
        public void run() {
            work("subclass");
        }
    }

    static final class Task implements Runnable {
        @Override
        public void run() {
            work("task");
            throw new Failure();
        }
    }

    static final class Failure extends RuntimeException {
        @Override
        public String getMessage() {
            return "failure";
        }
    }

    static final class Local extends InheritableThreadLocal<Integer> {
        @Override
        protected Integer initialValue() {
            return 1;
        }

        @Override
        protected Integer childValue(Integer parent) {
            return parent + 1;
        }
    }

    static final class Group extends ThreadGroup {
        Group() {
            super("group");
        }

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            System.out.println("uncaught " + thrown.getMessage());
        }
    }

    static final class Factory implements ThreadFactory {
        @Override
        public Thread newThread(Runnable task) {
            return new Thread(new Group(), task);
        }
    }

    private static final Local LOCAL = new Local();
    private static final ThreadLocal<StringBuilder> BUILDERS =
            ThreadLocal.withInitial(Threads::builder);

    public static void main(String[] args) throws InterruptedException {
        LOCAL.get();
        Thread lambda = new Thread(() -> work("lambda"));
        Thread handled = new Thread(new Task());
        handled.setUncaughtExceptionHandler(Threads::handle);
        for (Thread thread : new Thread[] {
            new Worker(), lambda, handled, new Factory().newThread(new Task())
        }) {
            thread.start();
            thread.join();
        }
    }

    private static StringBuilder builder() {
        return new StringBuilder();
    }

    private static void handle(Thread thread, Throwable thrown) {
        System.out.println("handled " + thrown.getMessage());
    }

    static void work(String name) {
        System.out.println(BUILDERS.get().append(name).append(LOCAL.get()));
    }
}
