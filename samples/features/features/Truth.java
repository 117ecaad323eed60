package features;

/** What a case says of itself: each method that counts prints its own name when it is called. */
public final class Truth {
    private static final StackWalker WALKER =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private Truth() {}

    /** Prints the class, the name and the descriptor of the calling method. */
    public static void called() {
        String line = WALKER.walk(frames -> {
            StackWalker.StackFrame caller = frames.skip(1).iterator().next();
            String name = caller.getDeclaringClass().getName().replace('.', '/');
            return "called " + name + "::" + caller.getMethodName() + caller.getDescriptor();
        });
        // One write, so that lines of several threads do not mix.
        System.out.print(line + "\n");
    }
}
