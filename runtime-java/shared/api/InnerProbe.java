package jfathom.runtime;

/**
 * What the probes of methods that record only inside a root do while a thread may be inside.
 *
 * <p>Apart from {@link Probe}, so that the entry probes there stay within 35 bytes of bytecode:
 * HotSpot inlines such methods in code of any kind and at any place ({@code MaxInlineSize},
 * {@code C1MaxInlineSize}). Larger ones are calls in code that is not hot yet.
 *
 * <p>The thread is looked at before the mode: most of those that come here while roots are sampled
 * are not inside, and need no mode.
 */
final class InnerProbe {
    private InnerProbe() {}

    static int entry(int id) {
        ThreadRecorder recorder = ThreadTable.SLOTS[Session.slot(Thread.currentThread())];
        if (recorder == ThreadRecorder.NO_RECORDER) return 0;
        int mode = Session.MEMORY.mode(id);
        if (mode == Layout.MODE_OFF) return 0;
        if (mode == Layout.MODE_COUNT && Session.MEMORY.count(id)) return 0;
        return RecordWriter.innerEntry(recorder, id, mode);
    }

    /** {@link #entry} of a method that has no mode: it is counted. */
    static void countedEntry(int id) {
        if (Session.MEMORY.count(id)) return;
        ThreadRecorder recorder = ThreadTable.SLOTS[Session.slot(Thread.currentThread())];
        if (recorder == ThreadRecorder.NO_RECORDER) return;
        RecordWriter.countedInnerEntry(recorder, id);
    }
}
