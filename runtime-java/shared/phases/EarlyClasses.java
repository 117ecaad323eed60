package jfathom.runtime;

/**
 * The classes that a session needs, initialised before its first record. A class whose
 * initialisation meets a full heap is lost for ever, and one that meets a probe is initialised too
 * late.
 */
final class EarlyClasses {
    private EarlyClasses() {}

    /** Initialises those of the session that is being opened, {@code own} among the first. */
    static void initialise(Class<?>... own) throws ClassNotFoundException {
        if (SessionData.current.calibrateStart || SessionData.current.calibrateEnd) {
            initialiseEach(
                    Calibration.class,
                    Calibration.Run.class,
                    CalibrationLoops.class,
                    CalibrationBatches.class,
                    CalibrationTime.class);
        }
        initialiseEach(Carriers.class);
        if (SessionData.current.allocated != Layout.ALLOCATED_NONE) initialiseEach(Allocated.class);
        if (SessionData.current.threadClock) initialiseEach(ThreadClock.class);
        if (SessionData.current.caught) {
            initialiseEach(CaughtClasses.class, CaughtClasses.Entry.class);
            CaughtClasses.begin();
        }
        initialiseEach(own);
        if (SessionData.current.stacks) initialiseEach(StackWalks.class, JfrStackEvent.class, JfrTypes.class);
        if (Carriers.ON) initialiseEach(VirtualThreads.class);
        initialiseEach(
                RecordWriter.class,
                Activity.class,
                Owed.class,
                CountedCalls.class,
                SlowPath.class,
                Losses.class,
                FlowControl.class,
                Threads.class,
                Rings.class,
                KernelThread.class,
                Space.class,
                Counters.class,
                Tasks.class,
                TaskMarks.class,
                ThreadApi.class);
    }

    private static void initialiseEach(Class<?>... classes) throws ClassNotFoundException {
        ClassLoader loader = EarlyClasses.class.getClassLoader();
        for (Class<?> type : classes) Class.forName(type.getName(), true, loader);
    }
}
