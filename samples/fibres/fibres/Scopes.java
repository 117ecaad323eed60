package fibres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * `Scopes REQUESTS`: structured concurrency. Each request forks parts, some of which fork more, and
 * some of which fail; from Java 25 on a failure cancels the others of its scope. Prints how often
 * each method was called. The API, which has changed between 21 and 25, is reached by reflection.
 */
public final class Scopes {
    private static final LongAdder REQUESTS = new LongAdder();
    private static final LongAdder PARTS = new LongAdder();
    private static final LongAdder LEAVES = new LongAdder();
    private static final LongAdder TELLS = new LongAdder();

    public static void main(String[] args) throws Exception {
        int requests = Integer.parseInt(args[0]);
        for (int number = 0; number < requests; number++) request(number);
        System.out.println("request " + REQUESTS);
        System.out.println("part " + PARTS);
        System.out.println("leaf " + LEAVES);
        System.out.println("tell " + TELLS);
    }

    static void request(int number) throws Exception {
        REQUESTS.increment();
        try (Scope scope = Scope.open()) {
            for (int i = 0; i < 3; i++) {
                int own = number + i;
                scope.fork(() -> part(own));
            }
            scope.fork((Runnable) () -> tell());
            scope.join();
        }
    }

    static int part(int number) throws Exception {
        PARTS.increment();
        Thread.sleep(0, 100_000);
        if (number % 7 == 0) throw new IllegalStateException();
        if (number % 4 != 0) return leaf(number);
        try (Scope scope = Scope.open()) {
            scope.fork(() -> leaf(number));
            scope.fork(() -> leaf(number + 1));
            scope.join();
        }
        return number;
    }

    static int leaf(int number) {
        LEAVES.increment();
        Thread.yield();
        return number * 31 + 7;
    }

    static void tell() {
        TELLS.increment();
    }

    /** A `StructuredTaskScope`. */
    private static final class Scope implements AutoCloseable {
        private static final Class<?> TYPE = type();

        private final Object scope;

        private Scope(Object scope) {
            this.scope = scope;
        }

        private static Class<?> type() {
            try {
                return Class.forName("java.util.concurrent.StructuredTaskScope");
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }

        static Scope open() throws ReflectiveOperationException {
            return new Scope(TYPE.isInterface()
                    ? TYPE.getMethod("open").invoke(null)
                    : TYPE.getConstructor().newInstance());
        }

        void fork(Callable<?> task) throws ReflectiveOperationException {
            TYPE.getMethod("fork", Callable.class).invoke(scope, task);
        }

        void fork(Runnable task) throws ReflectiveOperationException {
            Method fork;
            try {
                fork = TYPE.getMethod("fork", Runnable.class);
            } catch (NoSuchMethodException e) {
                Callable<?> call = () -> {
                    task.run();
                    return null;
                };
                fork(call);
                return;
            }
            fork.invoke(scope, task);
        }

        /** A failure of a fork is none here. */
        void join() throws ReflectiveOperationException {
            try {
                TYPE.getMethod("join").invoke(scope);
            } catch (InvocationTargetException e) {
                if (!e.getCause().getClass().getName().endsWith("$FailedException")) throw e;
            }
        }

        @Override
        public void close() throws ReflectiveOperationException {
            TYPE.getMethod("close").invoke(scope);
        }
    }

    private Scopes() {}
}
