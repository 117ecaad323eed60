package features;

/** What the classes can do that a case finds in a way of its own. */
public interface Task {
    void run();
}
