package jfathom.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.ForkJoinTask;

/**
 * Tasks that a root hands to other threads. Lambdas are wrapped. Other objects are marked, and open
 * a tree in the probes of their task methods.
 */
final class Tasks {
    /** What {@link #entry} returns where it opened a tree. */
    private static final int OPENED = 1;

    /**
     * Number of the session: a wrapper of an earlier one opens no tree. Raised by the agent's
     * thread between two sessions.
     */
    private static volatile int session;

    private Tasks() {}

    /** Another session begins. */
    static void reset() {
        session++;
    }

    /** Base of the wrappers in {@link Wrapping}. */
    abstract static class Wrapper {
        private final long handOff;
        private final int from = session;

        Wrapper(long handOff) {
            this.handOff = handOff;
        }

        /** Opens a tree on a thread that is outside. The result goes to {@link Tasks#exit}. */
        final int open() {
            if (!Gate.on || from != session) return 0;
            Thread thread = Thread.currentThread();
            if (isInside(thread)) return 0;
            return TaskTrees.open(thread, handOff) ? OPENED : 0;
        }
    }

    static int entry(Object task) {
        if (TaskMarks.isEmpty()) return 0;
        boolean pinned = Carriers.pin();
        try {
            Thread thread = Thread.currentThread();
            ThreadRecorder recorder = Recorders.find(thread);
            boolean inside = recorder != null && recorder.inside == thread;
            long handOff = useMark(recorder, task);
            return handOff >= 0 && !inside && TaskTrees.open(thread, handOff) ? OPENED : 0;
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static boolean isInside(Thread thread) {
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Recorders.find(thread);
            return recorder != null && recorder.inside == thread;
        } finally {
            Carriers.unpin(pinned);
        }
    }

    static void exit(int opened) {
        if (opened != 0 && Gate.on) TaskTrees.close(Thread.currentThread());
    }

    /** Any other object's {@code start()} starts a thing of the program's own, and is a call. */
    static void handOffReceiver(Object receiver) {
        if (receiver instanceof Thread || receiver instanceof ForkJoinTask) {
            handOff(receiver, false);
        }
    }

    static Object handOff(Object task, boolean periodic) {
        boolean pinned = Carriers.pin();
        try {
            return handOffPinned(task, periodic);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static Object handOffPinned(Object task, boolean periodic) {
        ThreadRecorder recorder = recorderInRoot();
        if (task == null || recorder == null || isWrapped(task)) return task;
        long done = 0;
        boolean suspended = suspendProbes(recorder);
        try {
            long handOff = HandOff.by(recorder.activity.root);
            if (task instanceof Thread) {
                if (Recorders.handOff(recorder, (Thread) task, handOff)) {
                    countHandOff();
                    done = handOff;
                }
                return task;
            }
            countHandOff();
            Class<?> type = task.getClass();
            // What is still a wrapper belongs to an earlier session.
            if (type.getName().indexOf("$$Lambda") >= 0 || task instanceof Wrapper) {
                Object wrapper = Wrapping.around(task, handOff);
                if (wrapper != null) {
                    done = handOff;
                    return wrapper;
                }
                HandOff.countUnfollowed();
            } else if (type.getClassLoader() == null && !Variant.HOST.hasTaskProbes(type)) {
                // The JDK's own classes, such as FutureTask, have no task probes.
                HandOff.countUnfollowed();
            } else {
                TaskMarks.put(task, handOff, periodic);
                done = handOff;
            }
        } catch (Throwable e) {
            Errors.passOn(e);
        } finally {
            resumeProbes(recorder, suspended);
            TaskTrees.recordHandOff(recorder, done);
        }
        return task;
    }

    static Object handOffFunction(Object task) {
        boolean pinned = Carriers.pin();
        try {
            return handOffFunctionPinned(task);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static Object handOffFunctionPinned(Object task) {
        ThreadRecorder recorder = recorderInRoot();
        if (task == null || recorder == null || isWrapped(task)) return task;
        long done = 0;
        boolean suspended = suspendProbes(recorder);
        try {
            countHandOff();
            long handOff = HandOff.by(recorder.activity.root);
            Object wrapper = Wrapping.around(task, handOff);
            if (wrapper != null) {
                done = handOff;
                return wrapper;
            }
            HandOff.countUnfollowed();
        } catch (Throwable e) {
            Errors.passOn(e);
        } finally {
            resumeProbes(recorder, suspended);
            TaskTrees.recordHandOff(recorder, done);
        }
        return task;
    }

    static Collection<?> handOffAll(Collection<?> tasks) {
        if (tasks == null || !isInRoot()) return tasks;
        try {
            Object[] all = tasks.toArray();
            boolean changed = false;
            for (int i = 0; i < all.length; i++) {
                Object passed = handOff(all[i], false);
                changed |= passed != all[i];
                all[i] = passed;
            }
            if (!changed) return tasks;
            ArrayList<Object> list = new ArrayList<>(all.length);
            for (Object task : all) list.add(task);
            return list;
        } catch (Throwable e) {
            // The program's own collection may throw. It will again when the program asks it.
            Errors.passOn(e);
            return tasks;
        }
    }

    private static boolean isWrapped(Object task) {
        return task instanceof Wrapper && ((Wrapper) task).from == session;
    }

    /** Counts the marks of which no run came. */
    static void flush() {
        TaskMarks.countUnused();
    }

    private static void countHandOff() {
        Session.count(Layout.HEADER_HAND_OFFS, 1);
    }

    private static boolean isInRoot() {
        boolean pinned = Carriers.pin();
        try {
            return recorderInRoot() != null;
        } finally {
            Carriers.unpin(pinned);
        }
    }

    /** The recorder of a thread inside a root, unless its probes are quiet; or null. */
    private static ThreadRecorder recorderInRoot() {
        Thread thread = Thread.currentThread();
        ThreadRecorder recorder = Recorders.find(thread);
        boolean found =
                recorder != null
                        && recorder.inside == thread
                        && recorder.activity.root >= 0
                        && !recorder.busy;
        return found ? recorder : null;
    }

    private static long useMark(ThreadRecorder recorder, Object task) {
        boolean suspended = recorder != null && suspendProbes(recorder);
        try {
            return TaskMarks.use(task);
        } catch (Throwable e) {
            Errors.passOn(e);
            return -1;
        } finally {
            if (recorder != null) resumeProbes(recorder, suspended);
        }
    }

    /** Keeps the probes of JDK methods called here quiet. Returns whether they were so before. */
    private static boolean suspendProbes(ThreadRecorder recorder) {
        boolean before = recorder.busy;
        if (!before) recorder.beginWork();
        recorder.close();
        return before;
    }

    private static void resumeProbes(ThreadRecorder recorder, boolean suspended) {
        if (suspended) return;
        recorder.endWork();
        recorder.reopen();
    }
}
