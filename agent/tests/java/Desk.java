import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/** Does what the lines of its standard input say. */
public class Desk {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null && !line.equals("end"); ) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "hello":
                    System.out.println("hello");
                    break;
                case "work":
                    System.out.println(work(Integer.parseInt(words[1])));
                    break;
                case "threads":
                    System.out.println(
                        threads(Integer.parseInt(words[1]), Integer.parseInt(words[2])));
                    break;
                case "storm":
                    System.out.println(
                        Storm.storm(Integer.parseInt(words[1]), Integer.parseInt(words[2])));
                    break;
                case "plug":
                    plugins.add(plug());
                    System.out.println("plugged");
                    break;
                case "call":
                    System.out.println(call(Integer.parseInt(words[1])));
                    break;
                case "unplug":
                    System.out.println(unplug());
                    break;
                case "inside":
                    System.out.println(inside(in));
                    break;
                default:
                    System.out.println("what?");
            }
            System.out.flush();
        }
    }

    static final List<IntUnaryOperator> plugins = new ArrayList<>();

    /** A Plugin of a loader of its own, which does not ask its parent for it. */
    static IntUnaryOperator plug() throws Exception {
        ClassLoader loader = new ClassLoader(Desk.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve)
                    throws ClassNotFoundException {
                if (!name.startsWith("Plugin")) return super.loadClass(name, resolve);
                synchronized (getClassLoadingLock(name)) {
                    Class<?> known = findLoadedClass(name);
                    if (known != null) return known;
                    try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                        byte[] bytes = in.readAllBytes();
                        return defineClass(name, bytes, 0, bytes.length);
                    } catch (IOException e) {
                        throw new ClassNotFoundException(name, e);
                    }
                }
            }
        };
        return (IntUnaryOperator) loader.loadClass("Plugin").getDeclaredConstructor().newInstance();
    }

    static long call(int n) {
        long sum = 0;
        for (IntUnaryOperator plugin : plugins) {
            for (int i = 0; i < n; i++) sum += plugin.applyAsInt(i);
        }
        return sum;
    }

    /** Whether the loaders of all plugins are gone. */
    static boolean unplug() throws InterruptedException {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (IntUnaryOperator plugin : plugins) {
            loaders.add(new WeakReference<>(plugin.getClass().getClassLoader()));
        }
        plugins.clear();
        for (int i = 0; i < 100; i++) {
            System.gc();
            boolean gone = true;
            for (WeakReference<ClassLoader> loader : loaders) gone &= loader.get() == null;
            if (gone) return true;
            Thread.sleep(10);
        }
        return false;
    }

    /** n calls of the root; each calls step 3 times, and that leaf twice. */
    static long work(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum += root(i);
        return sum;
    }

    static long root(int n) {
        long sum = 0;
        for (int i = 0; i < 3; i++) sum += step(n + i);
        return sum + new Other().call(n);
    }

    static long step(int n) {
        return leaf(n) + leaf(n + 1);
    }

    static long leaf(int n) {
        return Long.rotateLeft(n * 0x9e3779b97f4a7c15L, n) & 0xff;
    }

    /** A class that is loaded when the root first runs. */
    static class Other {
        long call(int n) {
            try {
                return fail(n);
            } catch (IllegalStateException e) {
                return 1;
            }
        }

        private long fail(int n) {
            throw new IllegalStateException();
        }
    }

    /** The root on several threads at once, first calls together. */
    static long threads(int count, int n) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(count);
        AtomicLong sum = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                ready.countDown();
                try {
                    ready.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                sum.addAndGet(work(n));
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) thread.join();
        return sum.get();
    }

    /** Stays inside a root's callee until the next line comes, even past the session's end. */
    static String inside(BufferedReader in) throws Exception {
        return within(in);
    }

    static String within(BufferedReader in) throws Exception {
        System.out.println("within");
        System.out.flush();
        return wait(in);
    }

    static String wait(BufferedReader in) throws Exception {
        return in.readLine();
    }
}
