package jfathom.runtime;

/**
 * What the probes of methods that record only inside a root do while roots are sampled and a thread
 * is inside: most calls are on other threads. All methods would grow by what few of their calls
 * run, so it is out of line.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}.
 */
@SuppressWarnings("serial")
final class OutsideProbe extends Throwable {
    private OutsideProbe() {}

    static int entry(int id) {
        return InnerProbe.entry(id);
    }

    static void countedEntry(int id) {
        InnerProbe.countedEntry(id);
    }
}
