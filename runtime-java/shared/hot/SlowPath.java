package jfathom.runtime;

/**
 * The rare branches of the probes. Nothing thrown here reaches the program but what the VM itself
 * throws into the thread (Thread.stop). While a thread is on the slow path its recorder is closed
 * and busy, or it holds {@link Threads#LOCK}: probes that it meets on the way do nothing.
 *
 * <p>A Throwable for the same reason as {@link RecordWriter}: none of it belongs into the program's
 * compiled code.
 */
@SuppressWarnings("serial")
final class SlowPath extends Throwable {
    private static final long TIME_MASK = (1L << Layout.TIME_BITS) - 1;
    private static final long HIGH_MASK = (1L << 64 - Layout.TIME_BITS) - 1;
    private static final long PAYLOAD_MASK = (1L << Layout.ESCAPE_SHIFT) - 1;
    private static final int ID_MASK = (1 << Layout.ID_BITS) - 1;
    /** Most records written at once: a record, an owed one, and the escape records before them. */
    private static final int RECORDS_AT_ONCE = 8;

    /** Calls whose frames are together larger than those of the exit probes, even interpreted. */
    private static final int RESERVED_CALLS = 48;
    /** In place of a shift: the record has no time. */
    private static final int UNTIMED = -1;

    /**
     * Has the JVM resolve the class for this class's handlers, which ask for it: on a full heap it
     * could not.
     */
    static final Class<?> OVERFLOW = StackOverflowError.class;

    private SlowPath() {}

    /** The thread's slot did not hold it: its first probe, a shared slot, or a virtual thread. */
    static void methodEntry(Thread thread, int id, int mode) {
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Threads.find(thread);
            if (recorder == null) {
                if (cannotRecord(thread)) return;
                if (!Carriers.ON && ThreadApi.isVirtual(thread)) {
                    UnrecordedCalls.onVirtual(id);
                    return;
                }
                recorder = Threads.register(thread);
                if (recorder == null) return;
            }
            enter(recorder, id, mode);
            if (recorder.inside == null) {
                recorder.activity.depth++;
                Threads.enter(recorder);
            }
        } catch (Throwable e) {
            // As in write: a method whose entry is not recorded ends without an exit probe.
            if (e instanceof StackOverflowError) throw Errors.<RuntimeException>unchecked(e);
            Errors.passOn(e);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    /** The thread's slot holds no recorder that records it at the moment. */
    static void innerEntry(Thread thread, int id, int mode) {
        if (Carriers.ON && VirtualThreads.isKnownOutside(thread)) return;
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Threads.find(thread);
            if (recorder == null) lose(thread, 1, false);
            else if (recorder.inside == thread) enter(recorder, id, mode);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    /** As {@link VirtualThreads#lose}. */
    private static void lose(Thread thread, int opened, boolean root) {
        if (Carriers.ON) VirtualThreads.lose(thread, opened, root);
    }

    private static void enter(ThreadRecorder recorder, int id, int mode) {
        int plain = mode < 0 ? walkedMode(recorder, id, mode) : mode;
        if (plain == Layout.MODE_COUNT) count(recorder, id);
        else RecordWriter.write(recorder, Layout.ENTRY | (long) id << Layout.TIME_BITS);
    }

    /** Handles the flags of a mode with MODE_STACK. Returns it without them. */
    private static int walkedMode(ThreadRecorder recorder, int id, int mode) {
        if ((mode & Layout.MODE_FIRST_CALL) != 0) awaitFirstCall(recorder, id);
        StackWalks.call(recorder, id, mode);
        return mode & Layout.MODE_MASK;
    }

    /** An entry of a method whose first call the agent waits for. */
    static void firstCallEntry(int id) {
        boolean pinned = Carriers.pin();
        try {
            Thread thread = Thread.currentThread();
            ThreadRecorder recorder = Threads.find(thread);
            if (recorder == null || recorder.inside != thread) return;
            int mode = awaitFirstCall(recorder, id);
            if (mode == Layout.MODE_TIME || mode == Layout.MODE_COUNT) enter(recorder, id, mode);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    /** Lets the agent handle a first call. Returns the method's mode after that, without flags. */
    private static int awaitFirstCall(ThreadRecorder recorder, int id) {
        if (!recorder.busy) {
            long since = beginExcluded(recorder);
            try {
                Variant.HOST.firstCall(id);
            } catch (Throwable e) {
                // As in methodEntry.
                if (e instanceof StackOverflowError) {
                    throw Errors.<RuntimeException>unchecked(e);
                }
                Errors.passOn(e);
            } finally {
                endExcluded(recorder, since);
            }
        }
        return Session.MEMORY.mode(id) & Layout.MODE_MASK;
    }

    /**
     * The thread is about to wait for the agent, or to have its stack walked: probes that it meets
     * on the way do nothing. Returns the time.
     */
    static long beginExcluded(ThreadRecorder recorder) {
        excludePauses(recorder);
        recorder.beginWork();
        long since = Session.now();
        // No call from here on: it might overflow the stack and leave the rest undone.
        recorder.awaiting = true;
        recorder.busy = true;
        recorder.limit = ThreadRecorder.CLOSED;
        CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
        return since;
    }

    /** Excludes what was done since {@code since} from the thread's times. */
    static void endExcluded(ThreadRecorder recorder, long since) {
        // Stores before calls, as in write. The limit is left to the next record.
        recorder.awaiting = false;
        recorder.busy = false;
        CounterTable.ROWS[recorder.row] = recorder.counting;
        long waited = Math.max(Session.now() - since, 0);
        recorder.limit = ThreadRecorder.CLOSED;
        recorder.exclude(recorder.excluded + waited, Session.paused());
        recorder.endWork();
    }

    /** Excludes the ticks for which all threads were held up since this thread last looked. */
    private static void excludePauses(ThreadRecorder recorder) {
        long paused = Session.paused();
        recorder.exclude(recorder.excluded + Math.max(paused - recorder.paused, 0), paused);
    }

    /** The thread comes inside: pauses while it was outside are in none of its times. */
    static void ignorePauses(ThreadRecorder recorder) {
        recorder.exclude(0, Session.paused());
    }

    /** The thread comes inside: calls that were not recorded before have ended, too. */
    private static void beginInside(ThreadRecorder recorder) {
        ignorePauses(recorder);
        recorder.beginParked();
        recorder.activity.unrecorded = 0;
        if (recorder.heapPlace != 0) Allocated.settle(recorder);
    }

    /** An exit; else as {@link #innerEntry}. */
    static void innerExit(Thread thread, long head) {
        if (Carriers.ON && VirtualThreads.isKnownOutside(thread)) return;
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Threads.find(thread);
            if (recorder == null) lose(thread, -1, false);
            else if (recorder.inside == thread) RecordWriter.write(recorder, head);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    static void recordCatch(Thread thread, int id) {
        boolean pinned = Carriers.pin();
        try {
            ThreadRecorder recorder = Threads.find(thread);
            if (recorder != null && recorder.inside == thread) writeCatch(recorder, id);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    static void writeCatch(ThreadRecorder recorder, int id) {
        long head = Layout.ESCAPE_CAUGHT | (long) id << Layout.ESCAPE_ID_SHIFT;
        write(recorder, head, Session.now(), Layout.COARSE_SHIFT);
    }

    static void rootEntry(Thread thread, int id) {
        boolean pinned = Carriers.pin();
        try {
            enterRoot(thread, id);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static void enterRoot(Thread thread, int id) {
        ThreadRecorder recorder = Threads.find(thread);
        // A root within a root: where recursion ends in a StackOverflowError, an entry that raises
        // the depth must not meet an exit that cannot lower it.
        if (recorder != null && recorder.inside == thread) StackRoom.reserve(RESERVED_CALLS);
        if (recorder == null) {
            recorder = registerOrNull(thread);
            if (recorder == null) {
                lose(thread, 1, true);
                return;
            }
        }
        if (recorder.inside != thread && RootSampling.isOn() && leavesOut(recorder, id)) return;
        int mode = Session.MEMORY.mode(id);
        if (mode >= Layout.MODE_FIRST_CALL) mode = awaitFirstCall(recorder, id);
        else if (mode < 0) mode = walkedMode(recorder, id, mode);
        // After what is excluded: while the thread was outside, it is in none of its times.
        if (recorder.inside != thread) beginInside(recorder);
        if (mode != Layout.MODE_OFF) {
            readRoot(recorder);
            RecordWriter.write(recorder, Layout.ENTRY | (long) id << Layout.TIME_BITS);
        }
        // After the record: if that overflows the stack, the method ends without an exit probe.
        if (recorder.inside == thread) {
            recorder.activity.depth++;
        } else {
            recorder.activity.depth = 1;
            recorder.activity.root = id;
            Threads.enter(recorder);
        }
    }

    /** Where not all methods read what they allocate, a call of a root does that here. */
    private static void readRoot(ThreadRecorder recorder) {
        if (Session.SELECTED && recorder.reading != 0 && recorder.heapPlace != 0) {
            // COUNTED records come first.
            CountedCalls.write(recorder);
            Allocated.write(recorder);
        }
    }

    /** Whether root sampling leaves out a call of a root on a thread outside, which begins. */
    private static boolean leavesOut(ThreadRecorder recorder, int id) {
        if (recorder.virtual) return false;
        Activity activity = recorder.activity;
        if (activity.unsampled > 0) {
            // As for a root within a root.
            StackRoom.reserve(RESERVED_CALLS);
            activity.unsampled++;
            return true;
        }
        if (RootSampling.take(recorder)) return false;
        activity.unsampledRoot = id;
        activity.unsampledSince = Session.now() - Session.paused();
        activity.unsampled = 1;
        return true;
    }

    /** The end of a call of a root on a thread outside. */
    private static void endOutside(ThreadRecorder recorder) {
        Activity activity = recorder.activity;
        if (activity.unsampled == 0 || --activity.unsampled > 0) return;
        long now = Session.now() - Session.paused();
        long ticks = Math.max(now - activity.unsampledSince, 0);
        int shift = Math.max(Layout.UNSAMPLED_BITS - Long.numberOfLeadingZeros(ticks), 0);
        long duration = (long) shift << 64 - Layout.UNSAMPLED_BITS | ticks >>> shift;
        long root = (long) activity.unsampledRoot << Layout.ESCAPE_ID_SHIFT;
        write(recorder, Layout.ESCAPE_UNSAMPLED | root | duration, 0, UNTIMED);
        forgetOutside(recorder, activity);
    }

    static void rootExit(Thread thread, int id, long type) {
        boolean pinned = Carriers.pin();
        try {
            exitRoot(thread, id, type);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static void exitRoot(Thread thread, int id, long type) {
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder == null) {
            lose(thread, -1, true);
            return;
        }
        if (recorder.inside != thread) {
            endOutside(recorder);
            return;
        }
        // Before the record, which may overflow the stack: the depth must fall in any case.
        Activity activity = recorder.activity;
        leave(recorder);
        int mode = Session.MEMORY.mode(id) & Layout.MODE_MASK;
        if (mode != Layout.MODE_OFF) {
            readRoot(recorder);
            RecordWriter.write(recorder, type | (long) id << Layout.TIME_BITS);
        }
        forgetOutside(recorder, activity);
    }

    /** Opens the task of a {@link HandOff} on a thread outside. False if it cannot record. */
    static boolean openTask(Thread thread, long handOff) {
        boolean pinned = Carriers.pin();
        try {
            return openTaskHere(thread, handOff);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static boolean openTaskHere(Thread thread, long handOff) {
        int root = HandOff.root(handOff);
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder == null) {
            recorder = registerOrNull(thread);
            if (recorder == null) return false;
        }
        beginInside(recorder);
        long head = Layout.ESCAPE_TASK_OPEN | (long) root << Layout.ESCAPE_ID_SHIFT;
        write(recorder, head, Session.now(), Layout.COARSE_SHIFT);
        recorder.activity.depth = 1;
        recorder.activity.root = root;
        Threads.enter(recorder);
        HandOff.recordTask(recorder, HandOff.number(handOff));
        return true;
    }

    static void closeTask(Thread thread) {
        boolean pinned = Carriers.pin();
        try {
            closeTaskHere(thread);
        } finally {
            Carriers.unpin(pinned);
        }
    }

    private static void closeTaskHere(Thread thread) {
        ThreadRecorder recorder = Threads.find(thread);
        if (recorder == null) lose(thread, -1, true);
        if (recorder == null || recorder.inside != thread) return;
        Activity activity = recorder.activity;
        long root = (long) activity.root << Layout.ESCAPE_ID_SHIFT;
        long head = Layout.ESCAPE_TASK_CLOSE | root;
        leave(recorder);
        write(recorder, head, Session.now(), Layout.COARSE_SHIFT);
        forgetOutside(recorder, activity);
    }

    /** Whether a thread without a recorder is just making one, or works for the runtime. */
    private static boolean cannotRecord(Thread thread) {
        return Thread.holdsLock(Threads.LOCK) || Variant.HOST.isHelper(thread);
    }

    private static void forgetOutside(ThreadRecorder recorder, Activity activity) {
        if (Carriers.ON) VirtualThreads.forgetOutside(recorder, activity);
    }

    private static void leave(ThreadRecorder recorder) {
        if (--recorder.activity.depth > 0) return;
        // The JVM may link for the first time here.
        recorder.beginWork();
        Threads.leave(recorder);
        recorder.endWork();
        if (recorder.virtual) Threads.forget(recorder);
    }

    private static ThreadRecorder registerOrNull(Thread thread) {
        try {
            return cannotRecord(thread) ? null : Threads.register(thread);
        } catch (Throwable e) {
            Errors.passOn(e);
            return null;
        }
    }

    /**
     * Records where the fast path cannot: the ring is full or at its end, the high bits of the time
     * have changed, this is the first record, or there is no ring. {@code shift} says by how many
     * bits the time's low 40 bits are coarsened, or is UNTIMED for a record without a time.
     */
    static void write(ThreadRecorder recorder, long head, long time, int shift) {
        if (recorder.busy) return;
        // Records of calls have asked for it before.
        boolean asks = shift == Layout.COARSE_SHIFT && Session.THREAD_CLOCK;
        if (asks && recorder.clockGap != 0) time = RecordWriter.withClock(recorder, time);
        boolean pinned = false;
        boolean done = false;
        recorder.busy = true;
        try {
            pinned = Carriers.pin();
            recorder.limit = ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
            recorder.beginWork();
            if (recorder.virtual) {
                if (head >>> Layout.TYPE_SHIFT == Layout.TYPE_ENTRY) {
                    UnrecordedCalls.onVirtual((int) (head >>> Layout.TIME_BITS) & ID_MASK);
                }
            } else {
                if (recorder.handedOff) {
                    Threads.startHandedOff(recorder);
                    time = Session.now();
                }
                boolean written =
                        shift == UNTIMED
                                ? recorder.ring != null && push(recorder, head)
                                : Losses.record(recorder, head, time, shift);
                if (!written) Losses.countLost(recorder);
            }
            done = true;
            recorder.endWork();
            // Thread.stop arrives at branch targets, too. The end of the covered range must not be
            // one: nothing would run the finally for it. So the branches above lead to this store.
            recorder.busy = false;
        } catch (Throwable e) {
            // Where the record is done, nothing of it is missing.
            boolean overflow = !done && e instanceof StackOverflowError;
            // An entry that is not in the ring must not be followed by its exit. The overflow goes
            // on into the program, and the method ends before a handler covers it: nothing of the
            // call is missing.
            boolean entry = head >>> Layout.TYPE_SHIFT == Layout.TYPE_ENTRY;
            if (entry && overflow) throw Errors.<RuntimeException>unchecked(e);
            // Without a call, for which there may be no room.
            if (overflow && shift != UNTIMED) {
                Activity activity = recorder.activity;
                Owed before = activity.owed;
                Owed owed = before == null ? recorder.spare : before;
                boolean owes = activity.unrecorded == 0 && owed != null;
                if (!owes || before != null) recorder.overflows++;
                if (owes) {
                    owed.head = head;
                    owed.time = time;
                    owed.shift = shift;
                    if (before == null) recorder.lent = true;
                    activity.owed = owed;
                }
            } else if (!done) {
                recorder.lost++;
            }
            Errors.passOn(e);
        } finally {
            // ThreadRecorder.reopen without a call: on a full stack that would not return, and the
            // thread would stay closed. Busy goes first: what a Thread.stop leaves undone after
            // that, the next slow path does.
            recorder.busy = false;
            recorder.limit =
                    (recorder.excluded | recorder.switched) == 0 && recorder.activity.owed == null
                            ? recorder.open
                            : ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = recorder.counting;
            if (pinned) Carriers.unpin(true);
        }
    }

    /** Writes a record without a time, after a wait if need be. False if it could not. */
    static boolean writeUntimed(ThreadRecorder recorder, long record) {
        long before = recorder.position();
        write(recorder, record, 0, UNTIMED);
        return recorder.position() != before;
    }

    /**
     * Counts a call where the fast path cannot: the first of a counter chunk or of a thread, on a
     * thread that shares its slot, or on a virtual thread.
     */
    static void count(ThreadRecorder recorder, int id) {
        if (recorder.busy) return;
        boolean pinned = false;
        boolean done = false;
        recorder.busy = true;
        try {
            pinned = Carriers.pin();
            recorder.limit = ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = CounterTable.CLOSED;
            recorder.beginWork();
            if (recorder.virtual) {
                UnrecordedCalls.onVirtual(id);
            } else {
                if (recorder.handedOff) Threads.startHandedOff(recorder);
                if (!increment(recorder, id)) Session.count(Layout.HEADER_LOST_COUNTS, 1);
            }
            done = true;
            recorder.endWork();
            // As in write.
            recorder.busy = false;
        } catch (Throwable e) {
            // A method whose entry probe overflows the stack does not run.
            if (!done && e instanceof StackOverflowError) {
                throw Errors.<RuntimeException>unchecked(e);
            }
            if (!done) Session.count(Layout.HEADER_LOST_COUNTS, 1);
            Errors.passOn(e);
        } finally {
            // As in write.
            recorder.busy = false;
            recorder.limit =
                    (recorder.excluded | recorder.switched) == 0 && recorder.activity.owed == null
                            ? recorder.open
                            : ThreadRecorder.CLOSED;
            CounterTable.ROWS[recorder.row] = recorder.counting;
            if (pinned) Carriers.unpin(true);
        }
    }

    private static boolean increment(ThreadRecorder recorder, int id) {
        Ring ring = recorder.ring;
        if (ring == null) return false;
        if (recorder.switched != 0 && !VirtualThreads.tell(recorder, Session.now())) return false;
        if (ring.counters.count(id)) return true;
        synchronized (Threads.LOCK) {
            if (!Counters.give(ring, id >> Layout.CHUNK_SHIFT)) return false;
        }
        recorder.adoptCounters();
        return ring.counters.count(id);
    }

    /** Writes a MODE record if there is a new mode epoch. False if it could not. */
    static boolean writeEpoch(ThreadRecorder recorder) {
        int epoch = Session.MEMORY.epoch();
        if (epoch == recorder.epoch) return true;
        excludePauses(recorder);
        if (!push(recorder, Layout.ESCAPE_MODE | epoch & 0xffff_ffffL)) return false;
        recorder.epoch = epoch;
        return true;
    }

    /** Whether there is room for so many records, after a wait that is excluded from all times. */
    static boolean makeRoom(ThreadRecorder recorder, int records) {
        if (FlowControl.hasRoom(recorder, records)) return true;
        long since = Session.now();
        boolean room = FlowControl.awaitRoom(recorder);
        long waited = Math.max(Session.now() - since, 0);
        // Pauses of all threads during the wait are part of it.
        recorder.exclude(recorder.excluded + waited, Session.paused());
        return room;
    }

    /**
     * Writes a record after the escape records that belong before it, after a wait if need be.
     * False if it could not.
     */
    static boolean writeTimed(ThreadRecorder recorder, long head, long time, int shift) {
        long now = time;
        if (recorder.ring == null) return false;
        if (!writeEpoch(recorder)) return false;
        long excluded = recorder.excluded;
        if (recorder.switched != 0 && !VirtualThreads.tell(recorder, time)) return false;
        if (!CountedCalls.writeAll(recorder)) return false;
        if (recorder.heapPlace != 0 && !Allocated.writeAll(recorder)) return false;
        // A time that is read after a wait: see ESCAPE_ADJUST.
        if (recorder.excluded != excluded) now = time = Session.now();
        if (!FlowControl.hasRoom(recorder, RECORDS_AT_ONCE)) {
            boolean room = FlowControl.awaitRoom(recorder);
            now = Session.now();
            // Pauses of all threads during the wait are part of it.
            recorder.exclude(recorder.excluded + Math.max(now - time, 0), Session.paused());
            if (!room) return false;
        }
        if (recorder.excluded != 0) {
            long ticks = Math.min(recorder.excluded, PAYLOAD_MASK);
            if (!push(recorder, Layout.ESCAPE_ADJUST | ticks)) return false;
            recorder.exclude(0, recorder.paused);
        }
        Owed owed = recorder.activity.owed;
        if (owed != null) {
            if (!pushTimed(recorder, owed.head, owed.time, owed.shift)) return false;
            recorder.activity.owed = null;
            if (owed == recorder.spare) recorder.lent = false;
        }
        if (recorder.caughtClass != 0 && !push(recorder, recorder.caughtClass)) return false;
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
    static boolean push(ThreadRecorder recorder, long record) {
        if (!FlowControl.hasRoom(recorder, 1) && !FlowControl.awaitRoom(recorder)) return false;
        put(recorder, record);
        return true;
    }

    /** Puts a record into a slot that is free, and steps to the next one. */
    static void put(ThreadRecorder recorder, long record) {
        long place = recorder.next;
        try {
            Session.MEMORY.put(recorder.store, place, record);
            recorder.next = place + Layout.RECORD_BYTES;
        } catch (Throwable e) {
            throw SlowPath.<RuntimeException>finishStep(recorder, place, e);
        }
    }

    /**
     * Something was thrown between the store of a record and the step to the next place. If the
     * record is in the ring, or is consumed already, the step is done here. Throws {@code e}.
     */
    static <T extends Throwable> T finishStep(ThreadRecorder recorder, long place, Throwable e)
            throws T {
        if (isStored(recorder, place)) recorder.next = place + Layout.RECORD_BYTES;
        return Errors.unchecked(e);
    }

    /** Whether the record to be put at {@code place} is in the ring, or consumed already. */
    static boolean isStored(ThreadRecorder recorder, long place) {
        if (recorder.next != place) return true;
        return recorder.ring != null
                && (Session.MEMORY.peek(recorder.store, place) != 0
                        || FlowControl.consumed(recorder.ring) > recorder.position());
    }
}
