package jfathom.runtime;

import java.util.ArrayList;
import java.util.Collection;

/** Tasks that a root hands to other threads. Lambdas are wrapped; other objects are marked, and open in their methods. */
final class Tasks {
    /** What {@link #entry} returns where it opened a tree. */
    private static final int OPENED = 1;

    /** Number of the session: what an earlier one has wrapped opens no tree. */
    private static volatile int session;

    private Tasks() {}

    /** Another session begins. */
    static void reset() {
        session++;
    }

    /** Base of the wrappers in {@code Wrapping}. */
    abstract static class Wrapper {
        private final int root;
        private final int from = session;

        Wrapper(int root) {
            this.root = root;
        }

        /** Opens a tree on a thread that is outside; goes to {@link Tasks#exit}. */
        final int open() {
            if (!Probe.on || from != session) return 0;
            Thread thread = Thread.currentThread();
            ThreadRecorder recorder = Threads.find(thread);
            if (recorder != null && recorder.inside == thread) return 0;
            return SlowPath.taskOpen(thread, root) ? OPENED : 0;
        }
    }

    static int entry(Object task) {
        if (TaskMarks.none()) return 0;
        Thread thread = Thread.currentThread();
        ThreadRecorder recorder = Threads.find(thread);
        boolean inside = recorder != null && recorder.inside == thread;
        int root = take(recorder, task);
        return root >= 0 && !inside && SlowPath.taskOpen(thread, root) ? OPENED : 0;
    }

    static void exit(int opened) {
        if (opened != 0 && Probe.on) SlowPath.taskClose(Thread.currentThread());
    }

    static Object handOff(Object task, boolean periodic) {
        ThreadRecorder recorder = inside();
        if (task == null || recorder == null || wrapped(task)) return task;
        boolean quiet = suspendProbes(recorder);
        try {
            if (task instanceof Thread) {
                if (!Threads.handOff((Thread) task, recorder.root)) notFollowed();
                return task;
            }
            Class<?> type = task.getClass();
            // What is still a wrapper belongs to an earlier session.
            if (type.getName().indexOf("$$Lambda") >= 0 || task instanceof Wrapper) {
                Object wrapper = Wrapping.around(task, recorder.root);
                if (wrapper != null) return wrapper;
                notFollowed();
            } else if (type.getClassLoader() == null && !Start.taskProbes(type)) {
                // The JDK's own classes, such as FutureTask, have no task probes.
                notFollowed();
            } else {
                TaskMarks.put(task, recorder.root, periodic);
            }
        } catch (Throwable e) {
            SlowPath.passOn(e);
        } finally {
            resumeProbes(recorder, quiet);
        }
        return task;
    }

    static Object handOffFunction(Object task) {
        ThreadRecorder recorder = inside();
        if (task == null || recorder == null || wrapped(task)) return task;
        boolean quiet = suspendProbes(recorder);
        try {
            Object wrapper = Wrapping.around(task, recorder.root);
            if (wrapper != null) return wrapper;
            notFollowed();
        } catch (Throwable e) {
            SlowPath.passOn(e);
        } finally {
            resumeProbes(recorder, quiet);
        }
        return task;
    }

    static Collection<?> handOffAll(Collection<?> tasks) {
        if (tasks == null || inside() == null) return tasks;
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
            // The program's own collection may throw: so it will again where the program asks it.
            SlowPath.passOn(e);
            return tasks;
        }
    }

    private static boolean wrapped(Object task) {
        return task instanceof Wrapper && ((Wrapper) task).from == session;
    }

    /** TaskMarks that were never met. */
    static void flush() {
        TaskMarks.abandon();
    }

    static void notFollowed() {
        Session.count(Layout.HEADER_NOT_FOLLOWED, 1);
    }

    /** The recorder of a thread inside a root, or null. */
    private static ThreadRecorder inside() {
        Thread thread = Thread.currentThread();
        ThreadRecorder recorder = Threads.find(thread);
        return recorder != null && recorder.inside == thread && recorder.root >= 0 && !recorder.busy ? recorder : null;
    }

    private static int take(ThreadRecorder recorder, Object task) {
        boolean quiet = recorder != null && suspendProbes(recorder);
        try {
            return TaskMarks.take(task);
        } catch (Throwable e) {
            SlowPath.passOn(e);
            return -1;
        } finally {
            if (recorder != null) resumeProbes(recorder, quiet);
        }
    }

    /** Keeps probes in the JDK methods that are called here quiet; whether they were so before. */
    private static boolean suspendProbes(ThreadRecorder recorder) {
        boolean before = recorder.busy;
        recorder.shut();
        return before;
    }

    private static void resumeProbes(ThreadRecorder recorder, boolean quiet) {
        if (!quiet) recorder.reopen();
    }
}
