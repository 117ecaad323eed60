package samples;

import java.util.stream.Collectors;

/** Prints stack traces: methods and lines are those of the source, and no frame is added. */
public final class Traces {
    static class Broken {
        final int x;

        Broken(Object o) {
            this(
                    o.hashCode());
        }

        Broken(int x) {
            this.x = 1
                    / x;
        }
    }

    public static void main(String[] args) { // calls(1)
        show(() -> new Broken(null));
        show(() -> new Broken(0));
        show(Traces::manyLines);
        show(Traces::cause);
        show(() -> synchronizedThrow(null));
        show(() -> {
            Runnable inner = () -> {
                throw new IllegalStateException("in lambda");
            };
            inner.run();
        });
        System.out.println(where() + " " + depth() + " " + caller());
    }

    private static void show(Runnable body) { // calls(6) caught(6)
        try {
            body.run();
        } catch (RuntimeException e) {
            for (Throwable t = e; t != null; t = t.getCause()) {
                System.out.println(t);
                for (StackTraceElement element : t.getStackTrace()) {
                    if (element.getClassName().startsWith("samples.")
                            || element.getClassName().startsWith("jfathom.")) {
                        System.out.println("  " + element.getClassName() + " "
                                + element.getMethodName().replaceAll("\\d+$", "") + ":"
                                + element.getLineNumber());
                    }
                }
            }
        }
    }

    private static void manyLines() { // calls(1) throws(1)
        String s = "a";
        s = s
                + s.length();
        s.substring(
                9);
        System.out.println("never");
    }

    private static void cause() { // calls(1) throws(1)
        try {
            manyLinesNot();
        } catch (RuntimeException e) {
            throw new IllegalStateException("outer", e);
        }
    }

    private static void manyLinesNot() { // calls(1) throws(1)
        throw new IllegalArgumentException("inner");
    }

    private static synchronized int synchronizedThrow(Object o) { // calls(1) throws(1)
        synchronized (Traces.class) {
            return o.hashCode();
        }
    }

    private static String where() { // calls(1)
        StackTraceElement here = Thread.currentThread().getStackTrace()[1];
        return here.getMethodName() + ":" + here.getLineNumber();
    }

    private static String depth() { // calls(1)
        return StackWalker.getInstance()
                .walk(frames -> frames.limit(2)
                        .map(StackWalker.StackFrame::getMethodName)
                        .collect(Collectors.joining("<")));
    }

    private static String caller() { // calls(1)
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass()
                .getName();
    }

    private Traces() {}
}
