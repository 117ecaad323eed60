package jfathom.runtime;

/**
 * The rare paths of the probes. Nothing thrown here reaches the program but what the VM itself throws into the thread
 * (Thread.stop). While a thread is in a rare path its recorder is shut and busy, or it holds {@link Threads#LOCK}: probes
 * that are met on the way do nothing.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}: none of it belongs into the program's compiled code.
 */
@SuppressWarnings("serial")
final class SlowPath extends Throwable {
    private static final long TIME_MASK = (1L << Layout.TIME_BITS) - 1;
    private static final long HIGH_MASK = (1L << 64 - Layout.TIME_BITS) - 1;
    private static final long PAYLOAD_MASK = (1L << Layout.ESCAPE_SHIFT) - 1;
    private static final int ID_MASK = (1 << Layout.ID_BITS) - 1;
    /** A record, one that is owed, and the escapes before them. */
    private static final int TOGETHER = 7;

    /** Calls whose frames are together larger than those of the exit probes, be these interpreted. */
    private static final int RESERVE = 48;
    private static final Class<?> STOP = stop();

    private SlowPath() {}

    /** The thread's slot did not hold it: its first probe, a shared slot, or a virtual thread. */
    static void methodEntry(Thread thread, int id, int mode) {
        try {
            ThreadRecorder recorder = Threads.find(thread);
            if (recorder == null) {
                if (ours(thread)) return;
                if (ThreadApi.virtual(thread)) {
                    countVirtual(id);
                    return;
                }
                recorder = Threads.register(thread);
            }
            enter(recorder, id, mode);
            if (recorder.inside == null) {
                recorder.depth++;
                Threads.enter(recorder);
            }
        } catch (Throwable e) {
            // As in {@link #write}: a method whose entry is not recorded is left without an exit.
            if (e instanceof StackOverflowError) throw SlowPath.<RuntimeException>unchecked(e);
            passOn(e);
        }
    }

    /** The thread's slot belongs to another one. */
    static void innerEntry(Thread thread, int id, int mode) {
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder != null && recorder.inside == thread) enter(recorder, id, mode);
    }

    private static void enter(ThreadRecorder recorder, int id, int mode) {
        if (mode == Layout.MODE_COUNT) count(recorder, id);
        else RecordWriter.write(recorder, Layout.ENTRY | (long) id << Layout.TIME_BITS);
    }

    /** An entry of a method whose first call the agent waits for. */
    static void firstEntry(int id) {
        Thread thread = Thread.currentThread();
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder == null || recorder.inside != thread) return;
        int mode = afterFirstCall(recorder, id);
        if (mode == Layout.MODE_TIME || mode == Layout.MODE_COUNT) enter(recorder, id, mode);
    }

    /** Tells the agent of a first call and waits until that call may go on. The method's mode then, without flags. */
    private static int afterFirstCall(ThreadRecorder recorder, int id) {
        if (!recorder.busy) {
            long since = awaitAgent(recorder);
            try {
                Start.firstCall(id);
            } catch (Throwable e) {
                // As in methodEntry.
                if (e instanceof StackOverflowError) throw SlowPath.<RuntimeException>unchecked(e);
                passOn(e);
            } finally {
                agentIsDone(recorder, since);
            }
        }
        return Session.MEMORY.mode(id) & Layout.MODE_MASK;
    }

    /** The thread is about to wait for the agent: probes that are met on the way do nothing. Gives the time. */
    static long awaitAgent(ThreadRecorder recorder) {
        takePauses(recorder);
        long since = Session.now();
        // From here on without a call, which might overflow the stack and leave the rest undone.
        recorder.awaiting = true;
        recorder.busy = true;
        recorder.limit = ThreadRecorder.CLOSED;
        recorder.counting = ThreadRecorder.NONE;
        recorder.counters = ThreadRecorder.NO_CHUNKS;
        return since;
    }

    /** What it has waited since then is no time of the program. */
    static void agentIsDone(ThreadRecorder recorder, long since) {
        // Stores before calls, as in write; the limit is the next record's to set.
        recorder.awaiting = false;
        recorder.busy = false;
        recorder.counting = recorder.countable;
        recorder.counters = recorder.ring == null ? ThreadRecorder.NO_CHUNKS : recorder.ring.chunks;
        recorder.adjust(Math.max(Session.now() - since, 0));
        recorder.paused = Session.paused();
    }

    /** Takes over the ticks for which all threads were held up since this one has last looked. */
    private static void takePauses(ThreadRecorder recorder) {
        long paused = Session.paused();
        if (paused > recorder.paused) recorder.adjust += paused - recorder.paused;
        recorder.paused = paused;
    }

    /** A thread comes inside: what it was held up outside is nobody's. */
    static void forgetPauses(ThreadRecorder recorder) {
        recorder.adjust = 0;
        recorder.paused = Session.paused();
    }

    /** The same; and what was not recorded until then is over. */
    private static void beginAnew(ThreadRecorder recorder) {
        forgetPauses(recorder);
        recorder.unrecorded = 0;
    }

    /** The same for exits. */
    static void inner(Thread thread, long head) {
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder != null && recorder.inside == thread) RecordWriter.write(recorder, head);
    }

    static void caught(Thread thread, int id) {
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder != null && recorder.inside == thread) {
            write(recorder, Layout.ESCAPE_CAUGHT | (long) id << Layout.ESCAPE_ID_SHIFT, Session.now(), Layout.COARSE_SHIFT);
        }
    }

    static void rootEntry(Thread thread, int id) {
        ThreadRecorder recorder = Threads.find(thread);
        // A root within a root: where recursion ends in a StackOverflowError, an entry that is counted must not meet an
        // exit that cannot be.
        if (recorder != null && recorder.inside == thread) reserve(RESERVE);
        if (recorder == null) {
            recorder = registerQuietly(thread);
            if (recorder == null) return;
        }
        int mode = Session.MEMORY.mode(id);
        if (mode >= Layout.MODE_FIRST) mode = afterFirstCall(recorder, id);
        if (recorder.inside != thread) beginAnew(recorder);
        if (mode != Layout.MODE_OFF) RecordWriter.write(recorder, Layout.ENTRY | (long) id << Layout.TIME_BITS);
        // After the record: should it overflow the stack, the method is left without an exit probe.
        if (recorder.inside == thread) {
            recorder.depth++;
        } else {
            recorder.depth = 1;
            recorder.root = id;
            Threads.enter(recorder);
        }
    }

    /** Throws a StackOverflowError where the stack has no room for so many calls. */
    private static int reserve(int calls) {
        return calls == 0 ? 0 : reserve(calls - 1) + 1;
    }

    static void rootExit(Thread thread, int id, long type) {
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder == null || recorder.inside != thread) return;
        // Before the record, for the same reason.
        leave(recorder);
        int mode = Session.MEMORY.mode(id) & Layout.MODE_MASK;
        if (mode != Layout.MODE_OFF) RecordWriter.write(recorder, type | (long) id << Layout.TIME_BITS);
    }

    /** Opens a task that {@code root} spawned, on a thread that is outside. False if the thread cannot record. */
    static boolean taskOpen(Thread thread, int root) {
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder == null) {
            recorder = registerQuietly(thread);
            if (recorder == null) return false;
        }
        beginAnew(recorder);
        write(recorder, Layout.ESCAPE_TASK_OPEN | (long) root << Layout.ESCAPE_ID_SHIFT, Session.now(), Layout.COARSE_SHIFT);
        recorder.depth = 1;
        recorder.root = root;
        Threads.enter(recorder);
        return true;
    }

    static void taskClose(Thread thread) {
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder == null || recorder.inside != thread) return;
        long head = Layout.ESCAPE_TASK_CLOSE | (long) recorder.root << Layout.ESCAPE_ID_SHIFT;
        leave(recorder);
        write(recorder, head, Session.now(), Layout.COARSE_SHIFT);
    }

    /** Whether the thread has no recorder because it is just making one, or works for us. */
    private static boolean ours(Thread thread) {
        return Thread.holdsLock(Threads.LOCK) || SessionFile.helps(thread);
    }

    private static void leave(ThreadRecorder recorder) {
        if (--recorder.depth > 0) return;
        Threads.leave(recorder);
        if (recorder.virtual) Threads.forget(recorder);
    }

    private static ThreadRecorder registerQuietly(Thread thread) {
        try {
            return ours(thread) ? null : Threads.register(thread);
        } catch (Throwable e) {
            passOn(e);
            return null;
        }
    }

    /**
     * Records where the fast way cannot: ring full or at its end, high bits of the time changed, first record, no ring.
     * {@code shift} says by how much the time's low 40 bits are coarsened.
     */
    static void write(ThreadRecorder recorder, long head, long time, int shift) {
        if (recorder.busy) return;
        recorder.busy = true;
        try {
            recorder.limit = ThreadRecorder.CLOSED;
            recorder.counting = ThreadRecorder.NONE;
            recorder.counters = ThreadRecorder.NO_CHUNKS;
            if (recorder.virtual) {
                if (head >>> Layout.TYPE_SHIFT == Layout.TYPE_ENTRY) {
                    countVirtual((int) (head >>> Layout.TIME_BITS) & ID_MASK);
                }
            } else {
                if (recorder.handedOff) {
                    Threads.arrive(recorder);
                    time = Session.now();
                }
                if (!Losses.record(recorder, head, time, shift)) Losses.lose(recorder);
            }
        } catch (Throwable e) {
            boolean overflow = e instanceof StackOverflowError;
            // An entry that is not in the ring must not be followed by its exit: with the overflow going on into the
            // program, the method ends before it is covered by a handler. So nothing of it is missing.
            boolean entry = head >>> Layout.TYPE_SHIFT == Layout.TYPE_ENTRY;
            if (entry && overflow) throw SlowPath.<RuntimeException>unchecked(e);
            // Without a call, for which there may be no room.
            if (overflow) {
                if (recorder.unrecorded > 0 || recorder.owed != 0) recorder.overflows++;
                if (recorder.unrecorded == 0) {
                    recorder.owed = head;
                    recorder.owedTime = time;
                    recorder.owedShift = shift;
                }
            } else {
                recorder.lost++;
            }
            passOn(e);
        } finally {
            // As in ThreadRecorder.reopen, without a call: where the stack is full that would not return, and the thread stay shut.
            // Busy goes first: whatever a Thread.stop leaves undone after that, the next slow way does.
            recorder.busy = false;
            recorder.limit = (recorder.adjust | recorder.owed) == 0 ? recorder.open : ThreadRecorder.CLOSED;
            recorder.counting = recorder.countable;
            recorder.counters = recorder.ring == null ? ThreadRecorder.NO_CHUNKS : recorder.ring.chunks;
        }
    }

    /** Counts a call where the fast way cannot: a chunk's first, the first of a thread, one that shares its slot, a virtual thread. */
    static void count(ThreadRecorder recorder, int id) {
        if (recorder.busy) return;
        recorder.busy = true;
        try {
            recorder.limit = ThreadRecorder.CLOSED;
            recorder.counting = ThreadRecorder.NONE;
            recorder.counters = ThreadRecorder.NO_CHUNKS;
            if (recorder.virtual) {
                countVirtual(id);
            } else {
                if (recorder.handedOff) Threads.arrive(recorder);
                if (!increment(recorder, id)) Session.count(Layout.HEADER_LOST_COUNTS, 1);
            }
        } catch (Throwable e) {
            // A method whose entry probe overflows the stack does not run.
            if (e instanceof StackOverflowError) throw SlowPath.<RuntimeException>unchecked(e);
            Session.count(Layout.HEADER_LOST_COUNTS, 1);
            passOn(e);
        } finally {
            // As in write.
            recorder.busy = false;
            recorder.limit = (recorder.adjust | recorder.owed) == 0 ? recorder.open : ThreadRecorder.CLOSED;
            recorder.counting = recorder.countable;
            recorder.counters = recorder.ring == null ? ThreadRecorder.NO_CHUNKS : recorder.ring.chunks;
        }
    }

    private static boolean increment(ThreadRecorder recorder, int id) {
        Ring ring = recorder.ring;
        if (ring == null) return false;
        int chunk = id >> Layout.CHUNK_SHIFT;
        if (chunk >= ring.chunks.length || ring.chunks[chunk] == 0) {
            synchronized (Threads.LOCK) {
                if (!Counters.give(ring, chunk)) return false;
            }
            recorder.blocks = ring.blocks;
            recorder.settle();
        }
        Session.MEMORY.increment(ring.blocks[chunk].store, ring.chunks[chunk] + ((id & Counters.WITHIN) << 3));
        recorder.pending++;
        return true;
    }

    /** The record of the calls that were counted since the last record; they are then told. */
    static long counted(ThreadRecorder recorder) {
        long pending = recorder.pending;
        recorder.pending = 0;
        return Layout.ESCAPE_COUNTED | Math.min(pending, PAYLOAD_MASK);
    }

    /** Writes a record with what belongs before it, after a wait if need be; false if it could not. */
    static boolean timed(ThreadRecorder recorder, long head, long time, int shift) {
        long now = time;
        if (recorder.ring == null) return false;
        int epoch = Session.MEMORY.epoch();
        if (epoch != recorder.epoch) takePauses(recorder);
        if (!FlowControl.room(recorder, TOGETHER)) {
            boolean room = FlowControl.await(recorder);
            now = Session.now();
            recorder.adjust += Math.max(now - time, 0);
            // Pauses of all threads that fell into the wait are part of it.
            recorder.paused = Session.paused();
            if (!room) return false;
        }
        if (recorder.adjust != 0) {
            if (!push(recorder, Layout.ESCAPE_ADJUST | Math.min(recorder.adjust, PAYLOAD_MASK))) return false;
            recorder.adjust = 0;
        }
        if (epoch != recorder.epoch) {
            if (!push(recorder, Layout.ESCAPE_MODE | epoch & 0xffff_ffffL)) return false;
            recorder.epoch = epoch;
        }
        if (recorder.pending != 0 && !push(recorder, counted(recorder))) return false;
        if (recorder.owed != 0) {
            if (!pushTimed(recorder, recorder.owed, recorder.owedTime, recorder.owedShift)) return false;
            recorder.owed = 0;
        }
        return pushTimed(recorder, head, now, shift);
    }

    private static boolean pushTimed(ThreadRecorder recorder, long head, long time, int shift) {
        long high = time >>> Layout.TIME_BITS;
        if (high != recorder.high) {
            if (!push(recorder, Layout.ESCAPE_TIME_HIGH | high & HIGH_MASK)) return false;
            recorder.high = high;
        }
        return push(recorder, head | (time & TIME_MASK) >>> shift);
    }

    /** Writes one record, after a wait if need be. */
    private static boolean push(ThreadRecorder recorder, long record) {
        if (!FlowControl.room(recorder, 1) && !FlowControl.await(recorder)) return false;
        Session.MEMORY.put(recorder, recorder.next, record);
        recorder.next += Layout.RECORD_BYTES;
        return true;
    }

    static void countVirtual(int id) {
        if (id >= Session.IDS) return;
        Session.MEMORY.add(Session.HEAD, Session.VIRTUAL + 8L * id, 1);
        Session.count(Layout.HEADER_VIRTUAL_CALLS, 1);
    }

    /** The mode of an id that the session has no room for. */
    static int outsideSpan() {
        Session.count(Layout.HEADER_OUTSIDE_SPAN, 1);
        return Layout.MODE_OFF;
    }

    /**
     * Something was thrown between the record's store and the step to the next place. If the record is in the ring, or was
     * there and is consumed, the step is made up for.
     */
    static <T extends Throwable> T interrupted(ThreadRecorder recorder, long place, Throwable e) throws T {
        if (recorder.next == place && recorder.ring != null) {
            boolean stored = Session.MEMORY.peek(recorder, place) != 0 || FlowControl.consumed(recorder.ring) > recorder.position();
            if (stored) recorder.next = place + Layout.RECORD_BYTES;
        }
        return unchecked(e);
    }

    /** Throws anything as if it were unchecked. */
    @SuppressWarnings("unchecked")
    static <T extends Throwable> T unchecked(Throwable e) throws T {
        throw (T) e;
    }

    /**
     * Ends an error of the recorder's own, such as a full heap; but what Thread.stop has thrown is the program's. Must not
     * allocate.
     */
    static void passOn(Throwable e) {
        if (e.getClass() == STOP) throw SlowPath.<RuntimeException>unchecked(e);
    }

    /** By name: the class is to vanish from Java. */
    private static Class<?> stop() {
        try {
            return Class.forName("java.lang.ThreadDeath");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
