package jfathom.runtime;

import java.util.concurrent.locks.LockSupport;

/**
 * The classes that a session needs, initialised before its first record. A class whose
 * initialisation meets a full heap is lost for ever, and one that meets a probe is initialised too
 * late.
 */
final class EarlyClasses {
    private EarlyClasses() {}

    /** Initialises those of the session that is being opened, {@code own} among the first. */
    static void initialise(Class<?>... own) throws ClassNotFoundException {
        SessionData session = SessionData.current;
        if (session.calibrateStart || session.calibrateEnd) {
            initialiseEach(
                    Calibration.class,
                    Calibration.Run.class,
                    CalibrationLoops.class,
                    CalibrationBatches.class,
                    CalibrationTime.class);
        }
        initialiseEach(Errors.class, StackRoom.class, Carriers.class);
        if (session.allocated != Layout.ALLOCATED_NONE) {
            initialiseEach(AllocatedBytes.class, Allocated.class);
        }
        if (session.threadClock) initialiseEach(ThreadClock.class);
        if (session.caught) {
            initialiseEach(CaughtClasses.class, CaughtClasses.Entry.class);
            CaughtClasses.begin();
        }
        initialiseEach(own);
        if (session.stacks) {
            initialiseEach(StackWalks.class, JfrStackEvent.class, JfrTypes.class);
        }
        if (Carriers.ON) initialiseEach(VirtualThreads.class);
        initialiseEach(
                // Of the session.
                Gate.class,
                Inside.class,
                CounterTable.class,
                UnrecordedCalls.class,
                // Of a thread. The table has the first recorders made, and so their parts.
                ThreadTable.class,
                Activity.class,
                OutermostCalls.class,
                Owed.class,
                RandomNumbers.class,
                HandOff.class,
                Threads.class,
                Recorders.class,
                ThreadApi.class,
                KernelThread.class,
                Rings.class,
                Space.class,
                Counters.class,
                FlowControl.class,
                FlowControl.Wait.class,
                // Else the first wait initialises it: what is thrown into that, such as an overflow
                // of the stack, would cost the program its locks.
                LockSupport.class,
                RingWriter.class,
                ExcludedTime.class,
                CountedCalls.class,
                SwitchRecord.class,
                RecordGroup.class,
                Losses.class,
                // Of a record.
                InnerProbe.class,
                OutsideProbe.class,
                RecordWriter.class,
                Allowance.class,
                Token.class,
                SlowPath.class,
                RareCalls.class,
                ModeFlags.class,
                Catches.class,
                Roots.class,
                TaskTrees.class,
                Tasks.class,
                TaskMarks.class);
    }

    private static void initialiseEach(Class<?>... classes) throws ClassNotFoundException {
        ClassLoader loader = EarlyClasses.class.getClassLoader();
        for (Class<?> type : classes) Class.forName(type.getName(), true, loader);
    }
}
