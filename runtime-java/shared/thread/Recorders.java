package jfathom.runtime;

/** The thread recorder of the current thread, be that a platform thread or a virtual one. */
final class Recorders {
    private Recorders() {}

    /**
     * The recorder of the current thread, be that inside or outside; null without one. A virtual
     * thread that may wait before it has used the recorder must be pinned.
     */
    static ThreadRecorder find(Thread thread) {
        if (!Carriers.ON) return ThreadTable.ofPlatform(thread);
        Thread carrier = Carriers.current();
        if (carrier != thread) return VirtualThreads.find(thread, carrier);
        ThreadRecorder recorder = ThreadTable.ofPlatform(thread);
        boolean carries = recorder != null && recorder.activity != recorder.own;
        if (carries && !recorder.busy) recorder.mount(recorder.own);
        return recorder;
    }

    /**
     * Makes the recorder of the current thread, which has none, with a ring if there is one. Null
     * if the carrier of a virtual thread is at work for another. Not under {@link
     * ThreadTable#LOCK}.
     */
    static ThreadRecorder register(Thread thread) {
        Thread platform = Carriers.ON ? Carriers.current() : thread;
        return platform == thread
                ? Threads.registerCarrier(thread)
                : VirtualThreads.register(thread, platform);
    }

    /** {@link #register}; null also if the thread cannot record, or the heap is full. */
    static ThreadRecorder registerOrNull(Thread thread) {
        try {
            return cannotRecord(thread) ? null : register(thread);
        } catch (Throwable e) {
            Errors.passOn(e);
            return null;
        }
    }

    /** Whether a thread without a recorder is just making one, or works for the runtime. */
    static boolean cannotRecord(Thread thread) {
        return Thread.holdsLock(ThreadTable.LOCK) || Variant.HOST.isHelper(thread);
    }

    /**
     * The thread of {@code from}, which is inside a root and at no record, is about to start this
     * thread, which will be inside from its first probe. False if this is no hand-off: the thread
     * runs or has run, or was handed off when an override of its {@code start()} was called.
     */
    static boolean handOff(ThreadRecorder from, Thread thread, long handOff) {
        if (thread.isAlive()) return false;
        boolean virtual = ThreadApi.isVirtual(thread);
        if (Carriers.ON && virtual) return VirtualThreads.handOff(from, thread, handOff);
        return Threads.handOff(thread, virtual, handOff);
    }

    /** As {@link VirtualThreads#lose}. */
    static void lose(Thread thread, int opened, boolean root) {
        if (Carriers.ON) VirtualThreads.lose(thread, opened, root);
    }

    /** As {@link VirtualThreads#forgetOutside}. */
    static void forgetOutside(ThreadRecorder recorder, Activity activity) {
        if (Carriers.ON) VirtualThreads.forgetOutside(recorder, activity);
    }
}
