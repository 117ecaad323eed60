package jfathom.runtime;

/**
 * The rare paths of the probes. Nothing thrown here reaches the program but what the VM itself throws into the thread
 * (Thread.stop). While a thread is in a rare path its recorder is shut and busy, or it holds {@link Threads#LOCK}: probes
 * that are met on the way do nothing.
 *
 * <p>A Throwable for the same reason as {@link Writer}: none of it belongs into the program's compiled code.
 */
@SuppressWarnings("serial")
final class Slow extends Throwable {
    private static final long TIME_MASK = (1L << Layout.TIME_BITS) - 1;
    private static final long HIGH_MASK = (1L << 64 - Layout.TIME_BITS) - 1;
    private static final long PAYLOAD_MASK = (1L << Layout.ESCAPE_SHIFT) - 1;
    private static final int ID_MASK = (1 << Layout.ID_BITS) - 1;
    /** A record, one that is owed, and the escapes before them. */
    private static final int TOGETHER = 7;

    /** Calls whose frames are together larger than those of the exit probes, be these interpreted. */
    private static final int RESERVE = 48;
    private static final Class<?> STOP = stop();

    private Slow() {}

    /** The thread's slot did not hold it: its first probe, a shared slot, or a virtual thread. */
    static void methodEntry(Thread thread, int id, int mode) {
        try {
            Recorder it = Threads.find(thread);
            if (it == null) {
                if (ours(thread)) return;
                if (Newer.virtual(thread)) {
                    countVirtual(id);
                    return;
                }
                it = Threads.register(thread);
            }
            enter(it, id, mode);
            if (it.inside == null) {
                it.depth++;
                Threads.enter(it);
            }
        } catch (Throwable e) {
            // As in {@link #write}: a method whose entry is not recorded is left without an exit.
            if (e instanceof StackOverflowError) throw Slow.<RuntimeException>unchecked(e);
            passOn(e);
        }
    }

    /** The thread's slot belongs to another one. */
    static void innerEntry(Thread thread, int id, int mode) {
        Recorder it = Threads.find(thread);
        if (it != null && it.inside == thread) enter(it, id, mode);
    }

    private static void enter(Recorder it, int id, int mode) {
        if (mode == Layout.MODE_COUNT) count(it, id);
        else Writer.write(it, Layout.ENTRY | (long) id << Layout.TIME_BITS);
    }

    /** An entry of a method whose first call the agent waits for. */
    static void firstEntry(int id) {
        Thread thread = Thread.currentThread();
        Recorder it = Threads.find(thread);
        if (it == null || it.inside != thread) return;
        int mode = afterFirstCall(it, id);
        if (mode == Layout.MODE_TIME || mode == Layout.MODE_COUNT) enter(it, id, mode);
    }

    /** Tells the agent of a first call and waits until that call may go on. The method's mode then, without flags. */
    private static int afterFirstCall(Recorder it, int id) {
        if (!it.busy) {
            long since = awaitAgent(it);
            try {
                Start.firstCall(id);
            } catch (Throwable e) {
                // As in methodEntry.
                if (e instanceof StackOverflowError) throw Slow.<RuntimeException>unchecked(e);
                passOn(e);
            } finally {
                agentIsDone(it, since);
            }
        }
        return Session.MEMORY.mode(id) & Layout.MODE_MASK;
    }

    /** The thread is about to wait for the agent: probes that are met on the way do nothing. Gives the time. */
    static long awaitAgent(Recorder it) {
        takePauses(it);
        long since = Session.now();
        // From here on without a call, which might overflow the stack and leave the rest undone.
        it.awaiting = true;
        it.busy = true;
        it.limit = Recorder.SHUT;
        it.counting = Recorder.NONE;
        it.counters = Recorder.NO_CHUNKS;
        return since;
    }

    /** What it has waited since then is no time of the program. */
    static void agentIsDone(Recorder it, long since) {
        // Stores before calls, as in write; the limit is the next record's to set.
        it.awaiting = false;
        it.busy = false;
        it.counting = it.countable;
        it.counters = it.ring == null ? Recorder.NO_CHUNKS : it.ring.chunks;
        it.adjust(Math.max(Session.now() - since, 0));
        it.paused = Session.paused();
    }

    /** Takes over the ticks for which all threads were held up since this one has last looked. */
    private static void takePauses(Recorder it) {
        long paused = Session.paused();
        if (paused > it.paused) it.adjust += paused - it.paused;
        it.paused = paused;
    }

    /** A thread comes inside: what it was held up outside is nobody's. */
    static void forgetPauses(Recorder it) {
        it.adjust = 0;
        it.paused = Session.paused();
    }

    /** The same; and what was not recorded until then is over. */
    private static void beginAnew(Recorder it) {
        forgetPauses(it);
        it.unrecorded = 0;
    }

    /** The same for exits. */
    static void inner(Thread thread, long head) {
        Recorder it = Threads.find(thread);
        if (it != null && it.inside == thread) Writer.write(it, head);
    }

    static void caught(Thread thread, int id) {
        Recorder it = Threads.find(thread);
        if (it != null && it.inside == thread) {
            write(it, Layout.ESCAPE_CAUGHT | (long) id << Layout.ESCAPE_ID_SHIFT, Session.now(), Layout.COARSE_SHIFT);
        }
    }

    static void rootEntry(Thread thread, int id) {
        Recorder it = Threads.find(thread);
        // A root within a root: where recursion ends in a StackOverflowError, an entry that is counted must not meet an
        // exit that cannot be.
        if (it != null && it.inside == thread) reserve(RESERVE);
        if (it == null) {
            it = registerQuietly(thread);
            if (it == null) return;
        }
        int mode = Session.MEMORY.mode(id);
        if (mode >= Layout.MODE_FIRST) mode = afterFirstCall(it, id);
        if (it.inside != thread) beginAnew(it);
        if (mode != Layout.MODE_OFF) Writer.write(it, Layout.ENTRY | (long) id << Layout.TIME_BITS);
        // After the record: should it overflow the stack, the method is left without an exit probe.
        if (it.inside == thread) {
            it.depth++;
        } else {
            it.depth = 1;
            it.root = id;
            Threads.enter(it);
        }
    }

    /** Throws a StackOverflowError where the stack has no room for so many calls. */
    private static int reserve(int calls) {
        return calls == 0 ? 0 : reserve(calls - 1) + 1;
    }

    static void rootExit(Thread thread, int id, long type) {
        Recorder it = Threads.find(thread);
        if (it == null || it.inside != thread) return;
        // Before the record, for the same reason.
        leave(it);
        int mode = Session.MEMORY.mode(id) & Layout.MODE_MASK;
        if (mode != Layout.MODE_OFF) Writer.write(it, type | (long) id << Layout.TIME_BITS);
    }

    /** Opens a task that {@code root} spawned, on a thread that is outside. False if the thread cannot record. */
    static boolean taskOpen(Thread thread, int root) {
        Recorder it = Threads.find(thread);
        if (it == null) {
            it = registerQuietly(thread);
            if (it == null) return false;
        }
        beginAnew(it);
        write(it, Layout.ESCAPE_TASK_OPEN | (long) root << Layout.ESCAPE_ID_SHIFT, Session.now(), Layout.COARSE_SHIFT);
        it.depth = 1;
        it.root = root;
        Threads.enter(it);
        return true;
    }

    static void taskClose(Thread thread) {
        Recorder it = Threads.find(thread);
        if (it == null || it.inside != thread) return;
        long head = Layout.ESCAPE_TASK_CLOSE | (long) it.root << Layout.ESCAPE_ID_SHIFT;
        leave(it);
        write(it, head, Session.now(), Layout.COARSE_SHIFT);
    }

    /** Whether the thread has no recorder because it is just making one, or works for us. */
    private static boolean ours(Thread thread) {
        return Thread.holdsLock(Threads.LOCK) || SessionFile.helps(thread);
    }

    private static void leave(Recorder it) {
        if (--it.depth > 0) return;
        Threads.leave(it);
        if (it.virtual) Threads.forget(it);
    }

    private static Recorder registerQuietly(Thread thread) {
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
    static void write(Recorder it, long head, long time, int shift) {
        if (it.busy) return;
        it.busy = true;
        try {
            it.limit = Recorder.SHUT;
            it.counting = Recorder.NONE;
            it.counters = Recorder.NO_CHUNKS;
            if (it.virtual) {
                if (head >>> Layout.TYPE_SHIFT == Layout.TYPE_ENTRY) {
                    countVirtual((int) (head >>> Layout.TIME_BITS) & ID_MASK);
                }
            } else {
                if (it.handedOff) {
                    Threads.arrive(it);
                    time = Session.now();
                }
                if (!Losses.record(it, head, time, shift)) Losses.lose(it);
            }
        } catch (Throwable e) {
            boolean overflow = e instanceof StackOverflowError;
            // An entry that is not in the ring must not be followed by its exit: with the overflow going on into the
            // program, the method ends before it is covered by a handler. So nothing of it is missing.
            boolean entry = head >>> Layout.TYPE_SHIFT == Layout.TYPE_ENTRY;
            if (entry && overflow) throw Slow.<RuntimeException>unchecked(e);
            // Without a call, for which there may be no room.
            if (overflow) {
                if (it.unrecorded > 0 || it.owed != 0) it.overflows++;
                if (it.unrecorded == 0) {
                    it.owed = head;
                    it.owedTime = time;
                    it.owedShift = shift;
                }
            } else {
                it.lost++;
            }
            passOn(e);
        } finally {
            // As in Recorder.reopen, without a call: where the stack is full that would not return, and the thread stay shut.
            // Busy goes first: whatever a Thread.stop leaves undone after that, the next slow way does.
            it.busy = false;
            it.limit = (it.adjust | it.owed) == 0 ? it.open : Recorder.SHUT;
            it.counting = it.countable;
            it.counters = it.ring == null ? Recorder.NO_CHUNKS : it.ring.chunks;
        }
    }

    /** Counts a call where the fast way cannot: a chunk's first, the first of a thread, one that shares its slot, a virtual thread. */
    static void count(Recorder it, int id) {
        if (it.busy) return;
        it.busy = true;
        try {
            it.limit = Recorder.SHUT;
            it.counting = Recorder.NONE;
            it.counters = Recorder.NO_CHUNKS;
            if (it.virtual) {
                countVirtual(id);
            } else {
                if (it.handedOff) Threads.arrive(it);
                if (!increment(it, id)) Session.count(Layout.HEADER_LOST_COUNTS, 1);
            }
        } catch (Throwable e) {
            // A method whose entry probe overflows the stack does not run.
            if (e instanceof StackOverflowError) throw Slow.<RuntimeException>unchecked(e);
            Session.count(Layout.HEADER_LOST_COUNTS, 1);
            passOn(e);
        } finally {
            // As in write.
            it.busy = false;
            it.limit = (it.adjust | it.owed) == 0 ? it.open : Recorder.SHUT;
            it.counting = it.countable;
            it.counters = it.ring == null ? Recorder.NO_CHUNKS : it.ring.chunks;
        }
    }

    private static boolean increment(Recorder it, int id) {
        Ring ring = it.ring;
        if (ring == null) return false;
        int chunk = id >> Layout.CHUNK_SHIFT;
        if (chunk >= ring.chunks.length || ring.chunks[chunk] == 0) {
            synchronized (Threads.LOCK) {
                if (!Counters.give(ring, chunk)) return false;
            }
            it.blocks = ring.blocks;
            it.settle();
        }
        Session.MEMORY.increment(ring.blocks[chunk].store, ring.chunks[chunk] + ((id & Counters.WITHIN) << 3));
        it.pending++;
        return true;
    }

    /** The record of the calls that were counted since the last record; they are then told. */
    static long counted(Recorder it) {
        long pending = it.pending;
        it.pending = 0;
        return Layout.ESCAPE_COUNTED | Math.min(pending, PAYLOAD_MASK);
    }

    /** Writes a record with what belongs before it, after a wait if need be; false if it could not. */
    static boolean timed(Recorder it, long head, long time, int shift) {
        long now = time;
        if (it.ring == null) return false;
        int epoch = Session.MEMORY.epoch();
        if (epoch != it.epoch) takePauses(it);
        if (!Flow.room(it, TOGETHER)) {
            boolean room = Flow.await(it);
            now = Session.now();
            it.adjust += Math.max(now - time, 0);
            // Pauses of all threads that fell into the wait are part of it.
            it.paused = Session.paused();
            if (!room) return false;
        }
        if (it.adjust != 0) {
            if (!push(it, Layout.ESCAPE_ADJUST | Math.min(it.adjust, PAYLOAD_MASK))) return false;
            it.adjust = 0;
        }
        if (epoch != it.epoch) {
            if (!push(it, Layout.ESCAPE_MODE | epoch & 0xffff_ffffL)) return false;
            it.epoch = epoch;
        }
        if (it.pending != 0 && !push(it, counted(it))) return false;
        if (it.owed != 0) {
            if (!pushTimed(it, it.owed, it.owedTime, it.owedShift)) return false;
            it.owed = 0;
        }
        return pushTimed(it, head, now, shift);
    }

    private static boolean pushTimed(Recorder it, long head, long time, int shift) {
        long high = time >>> Layout.TIME_BITS;
        if (high != it.high) {
            if (!push(it, Layout.ESCAPE_TIME_HIGH | high & HIGH_MASK)) return false;
            it.high = high;
        }
        return push(it, head | (time & TIME_MASK) >>> shift);
    }

    /** Writes one record, after a wait if need be. */
    private static boolean push(Recorder it, long record) {
        if (!Flow.room(it, 1) && !Flow.await(it)) return false;
        Session.MEMORY.put(it, it.next, record);
        it.next += Layout.RECORD_BYTES;
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
    static <T extends Throwable> T interrupted(Recorder it, long place, Throwable e) throws T {
        if (it.next == place && it.ring != null) {
            boolean stored = Session.MEMORY.peek(it, place) != 0 || Flow.consumed(it.ring) > it.position();
            if (stored) it.next = place + Layout.RECORD_BYTES;
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
        if (e.getClass() == STOP) throw Slow.<RuntimeException>unchecked(e);
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
