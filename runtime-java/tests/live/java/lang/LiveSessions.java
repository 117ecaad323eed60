package java.lang;

import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Live sessions one after another in one JVM, with methods that have probes as rewritten ones. The
 * first argument is the test, the second the directory of the session files.
 */
public final class LiveSessions {
    static native boolean open(String path);

    static native boolean close();

    static native void setFirst(int id, boolean first);

    static native void setMode(int id, int mode);

    static native void pauseAll(long ticks);

    static final int ROOT = 1;
    static final int OTHER_ROOT = 2;
    static final int INNER = 10;
    static final int QUIET = 40;

    static String directory;
    static int sessions;
    static final AtomicInteger reported = new AtomicInteger();
    static final AtomicLong waited = new AtomicLong();
    static final List<String> names = new ArrayList<>();
    static volatile int countInstead = -1;
    static volatile boolean keepFirst;

    /** The agent's stand-in calls this where the runtime waits for the agent. */
    static void firstCall(int id) {
        reported.incrementAndGet();
        int token = JfathomProbe.innerEntry(QUIET);
        JfathomProbe.methodExit(token);
        if (keepFirst) return;
        // Must not be excluded twice.
        JfathomAgentInterface.paused(1_000_000_000_000L);
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < 1_000_000) Thread.yield();
        if (id == countInstead) setMode(id, 1);
        else setFirst(id, false);
        waited.addAndGet(System.nanoTime() - begun);
    }

    static synchronized void reflected(Object member) {
        int token = JfathomProbe.innerEntry(QUIET);
        JfathomProbe.methodExit(token);
        names.add(((java.lang.reflect.Executable) member).getName());
    }

    static synchronized void lookedUp(Class<?> type, String name, Object methodType) {
        names.add(type.getSimpleName() + "." + name + methodType);
    }

    static void start(String clock, boolean calibrate) {
        sessions++;
        long pid = ProcessHandle.current().pid();
        String path = directory + "/jvm-" + pid + "-" + (1000 + sessions) + ".jft";
        if (!open(path)) throw new IllegalStateException(path);
        String why = JfathomAgentInterface.start(
                path, pid, 1000 + sessions, clock, 0, 0, calibrate, calibrate, null, "one\ntwo", false);
        if (why != null) throw new IllegalStateException(why);
        why = JfathomAgentInterface.start(path, 1, 1, null, 0, 0, false, false, null, null, false);
        if (why == null) {
            throw new AssertionError("two sessions");
        }
    }

    static void end() {
        JfathomAgentInterface.stop();
        JfathomAgentInterface.reset();
        if (!close()) throw new IllegalStateException("close");
    }

    static void root(int id, Runnable body) {
        JfathomProbe.rootEntry(id);
        try {
            body.run();
            JfathomProbe.rootExit(id);
        } catch (Throwable e) {
            JfathomProbe.rootThrow(id);
            throw e;
        }
    }

    static int inner(int id, int x) {
        int token = JfathomProbe.innerEntry(id);
        try {
            int result = x + 1;
            JfathomProbe.methodExit(token);
            return result;
        } catch (Throwable e) {
            JfathomProbe.methodThrow(token);
            throw e;
        }
    }

    static void inner(int id, Runnable body) {
        int token = JfathomProbe.innerEntry(id);
        try {
            body.run();
            JfathomProbe.methodExit(token);
        } catch (Throwable e) {
            JfathomProbe.methodThrow(token);
            throw e;
        }
    }

    static void calls(int id, int count) {
        for (int i = 0; i < count; i++) inner(id, i);
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static Thread started(String name, Runnable body) {
        Thread thread = new Thread(null, body, name);
        thread.start();
        return thread;
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Throwable {
        directory = args[1];
        switch (args[0]) {
            case "sessions":
                sessions();
                break;
            case "first":
                first();
                break;
            case "middle":
                middle();
                break;
            case "pauses":
                pauses();
                break;
            case "hooks":
                hooks();
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    private static void sessions() throws Exception {
        List<WeakReference<Thread>> gone = new ArrayList<>();
        for (int n = 1; n <= 10; n++) {
            int calls = 100 * n;
            inner(INNER, 0);
            start(null, n == 3 || n == 7);
            System.out.println("modes " + JfathomSession.MODES);
            setMode(INNER + 1, 1);
            calls(INNER, 5);
            root(ROOT, () -> {
                calls(INNER, calls);
                calls(INNER + 1, calls);
                Thread[] threads = new Thread[2];
                for (int i = 0; i < threads.length; i++) {
                    threads[i] = new Thread(null, () -> calls(INNER + 2, calls), "spawned-" + i);
                    gone.add(new WeakReference<>(threads[i]));
                    JfathomProbe.handOff(threads[i]);
                    threads[i].start();
                }
                for (Thread thread : threads) join(thread);
                // Never runs in this session.
                later.add((Runnable) JfathomProbe.handOff((Runnable) () -> inner(INNER + 3, 0)));
                JfathomProbe.handOff(new NeverRun());
            });
            for (Runnable task : later.subList(0, later.size() - 1)) task.run();
            end();
            System.out.println("begun " + begun());
            inner(INNER, 0);
        }
        for (WeakReference<Thread> each : gone) {
            while (each.get() != null) {
                System.gc();
                Thread.yield();
            }
        }
        System.out.println("done");
    }

    private static final List<Runnable> later = new ArrayList<>();

    private static final class NeverRun implements Runnable {
        @Override
        public void run() {}
    }

    /** Number of entries that a session has left in the runtime's tables. */
    private static String begun() throws Exception {
        int left = 0;
        for (JfathomThreadRecorder recorder : JfathomThreadTable.SLOTS) {
            left += recorder == JfathomThreadRecorder.NO_RECORDER ? 0 : 1;
        }
        Object[] home = (Object[]) field(JfathomThreadTable.class, "HOME");
        for (Object each : home) left += each == null ? 0 : 1;
        left += ((Collection<?>) field(JfathomThreads.class, "ALL")).size();
        left += ((Collection<?>) field(JfathomRings.class, "ENDED")).size();
        left += (int) field(JfathomTaskMarks.class, "count");
        return Integer.toString(left);
    }

    private static Object field(Class<?> type, String name) throws Exception {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }

    /** A class whose initialiser meets a first call. */
    private static final class Initialised {
        static final int X = inner(INNER + 17, 3);
    }

    private static void first() throws Exception {
        start("nano", false);
        int threads = 16;
        for (int id = INNER; id < INNER + 20; id++) setFirst(id, true);
        setFirst(ROOT, true);
        countInstead = INNER + 18;
        // Outside nobody waits.
        inner(INNER, 0);
        System.out.println("outside " + reported.get());
        CyclicBarrier together = new CyclicBarrier(threads);
        Thread[] all = new Thread[threads];
        Object monitor = new Object();
        for (int i = 0; i < threads; i++) {
            int own = INNER + i;
            all[i] = started("thread-" + own, () -> {
                try {
                    together.await();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                root(ROOT, () -> {
                    calls(own, 50);
                    calls(INNER + 16, 50);
                    if (Initialised.X != 4) throw new AssertionError();
                    synchronized (monitor) {
                        calls(INNER + 18, 2);
                    }
                });
            });
        }
        for (Thread thread : all) join(thread);
        System.out.println("waited " + waited.get());
        System.out.println("reported " + reported.get());
        // A first call that overflows the stack.
        keepFirst = true;
        Thread deep = new Thread(null, () -> root(ROOT, () -> {
            try {
                deeper(1);
            } catch (StackOverflowError e) {
                JfathomProbe.handleCatch(e, ~ROOT);
            }
            calls(INNER + 1, 3);
        }), "deep", 1 << 18);
        deep.start();
        join(deep);
        end();
    }

    private static int deeper(int x) {
        int token = JfathomProbe.innerEntry(INNER + 19);
        try {
            int result = deeper(x + 1) + 1;
            JfathomProbe.methodExit(token);
            return result;
        } catch (Throwable e) {
            JfathomProbe.methodThrow(token);
            throw e;
        }
    }

    private static void middle() {
        start("nano", false);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch third = new CountDownLatch(1);
        CountDownLatch between = new CountDownLatch(1);
        Thread old = started("old", () -> root(ROOT, () -> {
            inner(INNER, () -> {
                calls(INNER + 1, 3);
                inside.countDown();
                await(second);
                // In the next session, within frames of the one before.
                calls(INNER + 1, 5);
                root(OTHER_ROOT, () -> calls(INNER + 1, 7));
                calls(INNER + 1, 11);
            });
            between.countDown();
            await(third);
        }));
        await(inside);
        end();
        start("nano", false);
        second.countDown();
        await(between);
        end();
        start("nano", false);
        third.countDown();
        join(old);
        root(OTHER_ROOT, () -> calls(INNER + 1, 13));
        end();
    }

    private static void pauses() {
        start("nano", false);
        JfathomAgentInterface.paused(1_000_000_000L);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch paused = new CountDownLatch(1);
        Thread other = started("other", () -> root(ROOT, () -> {
            inner(INNER, 0);
            inside.countDown();
            await(paused);
            inner(INNER, 0);
            inner(INNER, 0);
        }));
        await(inside);
        root(ROOT, () -> {
            inner(INNER, 0);
            JfathomAgentInterface.paused(3);
            JfathomAgentInterface.paused(4);
            inner(INNER, 0);
            setMode(INNER + 1, 1);
            JfathomAgentInterface.paused(5);
            inner(INNER + 1, 0);
            inner(INNER, 0);
            pauseAll(1000);
            pauseAll(100);
            inner(INNER, 0);
        });
        pauseAll(10);
        root(ROOT, () -> inner(INNER, 0));
        paused.countDown();
        join(other);
        JfathomAgentInterface.paused(1_000_000_000L);
        end();
        JfathomAgentInterface.paused(1_000_000_000L);
    }

    public static void plain() {}

    public static void plain(int x) {}

    private static void hooks() throws Exception {
        for (int n = 0; n < 2; n++) {
            start("nano", false);
            java.lang.reflect.Method method = LiveSessions.class.getMethod("plain");
            java.lang.reflect.Method overload = LiveSessions.class.getMethod("plain", int.class);
            java.lang.reflect.Constructor<?> constructor = ArrayList.class.getConstructor();
            Runnable all = () -> {
                for (int i = 0; i < 3; i++) {
                    JfathomHooks.invoked(method);
                    JfathomHooks.unreflected(overload);
                    JfathomHooks.invoked(constructor);
                    MethodType nothing = MethodType.methodType(void.class);
                    MethodType number = MethodType.methodType(void.class, int.class);
                    JfathomHooks.lookedUp(LiveSessions.class, "plain", nothing);
                    JfathomHooks.lookedUp(LiveSessions.class, "plain", number);
                    JfathomHooks.constructorLookedUp(ArrayList.class, nothing);
                    JfathomHooks.bound("text", "length", MethodType.methodType(int.class));
                    JfathomHooks.bound(null, "length", null);
                    JfathomHooks.unreflected(null);
                    JfathomHooks.lookedUp(null, null, null);
                }
            };
            all.run();
            System.out.println("outside " + names.size());
            root(ROOT, all);
            for (String name : names) System.out.println(name);
            names.clear();
            // Many of them.
            root(ROOT, () -> {
                for (int i = 0; i < 2; i++) {
                    for (int k = 0; k < 3000; k++) {
                        MethodType type = MethodType.methodType(void.class);
                        JfathomHooks.lookedUp(Object.class, "name" + k, type);
                    }
                }
            });
            System.out.println("many " + names.size());
            names.clear();
            end();
            JfathomHooks.invoked(method);
        }
    }
}
