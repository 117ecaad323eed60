package catches;

/**
 * Calls the methods of {@code Work}, and prints what it knows of the exceptions that they catch:
 * lines of a method, a class and a number. With an argument it first waits for a line of input, so
 * that a session can begin.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.out.println("ready");
            System.out.flush();
            System.in.read();
        }
        root();
        System.out.println("unloaded " + Loaders.isUnloaded());
    }

    static void root() throws Exception {
        Work.named(70);
        Work.byPaths();
        Work.joined(40);
        Work.ofTheJvm(30_000);
        Work.recursive(12);
        Work.cleanups(25);
        Work.inThreads(4);
        Loaders.twins();
        Loaders.numbered(1_100);
    }

    /** Says that a method has caught so many exceptions of a class. */
    static void say(String method, Class<?> type, int number) {
        System.out.println(method + " " + type.getName() + " " + number);
    }
}
