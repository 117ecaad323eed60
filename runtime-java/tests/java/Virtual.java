import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import jfathom.runtime.Probe;

/**
 * Virtual threads: each calls id 1 three times, and yields or pins in between. Platform threads
 * call id 2.
 */
public class Virtual {
    static void call(int id) {
        int token = Probe.methodEntry(id);
        try {
            Probe.methodExit(token);
        } catch (Throwable e) {
            Probe.methodThrow(token);
            throw e;
        }
    }

    static void inner(int id) {
        int token = Probe.innerEntry(id);
        Probe.methodExit(token);
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        for (int done = 0; done < count; ) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 1000 && done < count; i++, done++) {
                int number = i;
                threads.add((Thread) start.invoke(null, (Runnable) () -> {
                    call(1);
                    Thread.yield();
                    call(1);
                    if (number % 50 == 0) {
                        synchronized (new Object()) {
                            try {
                                Thread.sleep(1);
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            call(1);
                        }
                    } else {
                        call(1);
                    }
                    // Outside any root: not counted.
                    inner(3);
                    if (number % 10 == 0) {
                        Probe.rootEntry(4);
                        Thread.yield();
                        inner(5);
                        Probe.rootExit(4);
                        inner(5);
                    }
                }));
            }
            call(2);
            for (Thread thread : threads) thread.join();
        }
        System.out.println("virtual " + count * 3L);
        System.out.println("roots " + count / 10);
        System.out.println("platform " + (count + 999) / 1000);
    }
}
