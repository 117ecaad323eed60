package live;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/**
 * `Stops THREADS`: threads that do nothing but first calls, each stopped by `Thread.stop` at some
 * moment of its own. Where the JVM stops no threads (20 and later) they are told to end. Whatever
 * happened, `after` runs as usual.
 */
final class Stops implements Act {
    private static volatile boolean end;

    @Override
    public String act(String[] words) throws Exception {
        int threads = Integer.parseInt(words[0]);
        for (int i = 0; i < threads; i++) {
            AtomicLong rounds = new AtomicLong();
            end = false;
            Thread thread = new Thread(() -> {
                while (!end) {
                    try {
                        root(new Loader("live.plug."));
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    rounds.incrementAndGet();
                }
            }, "stopped-" + i);
            // A stopped thread ends with its ThreadDeath, or with what a library made of it.
            thread.setUncaughtExceptionHandler((stopped, thrown) -> { });
            thread.start();
            while (rounds.get() <= i % 5) {
                Thread.yield();
            }
            try {
                stop(thread);
            } catch (ReflectiveOperationException | UnsupportedOperationException e) {
                end = true;
            }
            // A class's initialisation may swallow the ThreadDeath: the thread is stopped again.
            for (int waits = 0; thread.isAlive(); waits++) {
                thread.join(10);
                end = waits > 10;
            }
        }
        return "after " + after(threads) + " " + root(new Loader("live.plug."));
    }

    private static void stop(Thread thread) throws ReflectiveOperationException {
        Method stop = Thread.class.getMethod("stop");
        try {
            stop.invoke(thread);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw new UnsupportedOperationException(e.getCause());
        }
    }

    static int root(Loader loader) throws Exception {
        Class<?> type = Class.forName("live.plug.Plugin", true, loader);
        return ((IntUnaryOperator) type.getDeclaredConstructor().newInstance()).applyAsInt(2);
    }

    static int after(int n) {
        int sum = 0;
        for (int i = 0; i < 100; i++) {
            sum += step(n);
        }
        return sum;
    }

    static int step(int n) {
        return n & 3;
    }
}
