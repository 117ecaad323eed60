package jfathom.runtime;

/**
 * A thread that records, or has recorded. Only the thread itself writes here, except where it is said.
 *
 * <p>{@code next}, {@code limit} and {@code end} are places as {@link Memory#put} takes them: addresses, or offsets in
 * {@code store}.
 */
final class ThreadRecorder {
    /** A limit below every place: each record takes the slow way. */
    static final long CLOSED = Long.MIN_VALUE;
    static final long[] NO_CHUNKS = {};
    static final Region[] NO_BLOCKS = {};
    /** What no thread has for a number. */
    static final long NONE = -1;
    /** In the slots of threads that are outside. */
    static final ThreadRecorder NO_RECORDER = new ThreadRecorder();

    /** The owner while it is inside, else null: a probe records where this is the current thread. */
    Thread inside;
    /** Place of the next record. */
    long next;
    /**
     * Where the fast way ends: {@code open}, or CLOSED while the slow way is at work, which keeps probes in it quiet, and
     * while there is something in {@code adjust} or {@code owed}.
     */
    long limit = CLOSED;
    /** High bits of the time that the consumer knows for this thread. */
    long high;
    /** The epoch of modes that the consumer knows for this thread. */
    int epoch;
    /** Counted calls since the last record. */
    long pending;
    /** Ticks since the last record in which the recorder or the agent held the thread up, and which are to be told. */
    long adjust;
    /** How much of HEADER_PAUSED this thread has taken into account. */
    long paused;
    /** What {@link Memory#put} needs beside the place. */
    Object store;
    /** {@code countable}, or NONE while the slow way is at work: a probe counts where this is its thread's number. */
    long counting = NONE;
    /** Place of the counter of id 0, if {@code countable} is set: those of other ids follow it. */
    long direct;
    /** What {@link Memory#increment} needs beside that place. */
    Object directStore;
    /** Places of the chunks of counters by number, 0 where there is none; none at all while the slow way is at work. */
    long[] counters = NO_CHUNKS;
    /** The blocks in which the chunks are, for {@link Memory#increment}. */
    Region[] blocks = NO_BLOCKS;

    /** The thread. */
    final Thread owner;
    /** Its number. */
    final long tid;
    /** The thread's number where it is inside and has counters of its own, else NONE. */
    long countable = NONE;
    /** How many roots, tasks and the like are open. */
    int depth;
    /** The root by whose entry, or whose task, the thread came inside; −1 if it records without one. */
    int root = -1;
    /** The limit where no slow way is at work: places below are free. CLOSED without a ring. */
    long open = CLOSED;
    /** Place after the ring's last slot. */
    long end;
    /** Position (in records) of the ring's first slot in the present lap. */
    long lap;
    /** Whether the slow way is at work on this thread. */
    boolean busy;
    /** Whether the thread waits for the agent in a call of which the runtime takes the time. */
    boolean awaiting;
    /** The ring, or null: it could not be had, or is not needed. */
    Ring ring;
    /** Records that were not taken and are not yet added to the header, and the counter there that they go to. */
    long lost;

    int lostTo = Layout.HEADER_LOST_RECORDS;
    /** The same for those that the stack had no room for. */
    long overflows;
    /** How many calls are open whose entries were not taken: until all have ended nothing is recorded. */
    long unrecorded;
    /**
     * The last exit or catch that was not taken, of a call that was recorded, with its time and the shift of that; zero where there is
     * none. It goes before the next record, and ends all calls that were recorded within.
     */
    long owed;

    long owedTime;
    int owedShift;
    /** How far the ring was handed back when a wait for room in it was in vain; NONE while none was. */
    long gaveUpAt = NONE;
    /** Whether the thread is virtual: calls are counted by method, not recorded. */
    final boolean virtual;
    /** Whether the thread was handed off and has not come to its first probe; {@code since} says when. */
    boolean handedOff;
    /** When it was handed off, by System.nanoTime. */
    long since;
    /** Whether other threads may share its slot in {@link Session#TABLE}, which then is never nobody's. Set under the lock. */
    volatile boolean shared;
    /** The next one with the same slot. Written under {@link Threads#LOCK}, read without; stays when this one is removed. */
    ThreadRecorder behind;
    /** Place in the list of all recorders; guarded by {@link Threads#LOCK}. */
    int index;

    ThreadRecorder(Thread owner, boolean virtual) {
        this.owner = owner;
        this.virtual = virtual;
        tid = Session.MEMORY.tid(owner);
    }

    private ThreadRecorder() {
        owner = null;
        virtual = false;
        tid = NONE;
    }

    /** Whether this is the recorder of the current thread, whose number is given, and can count. */
    boolean counts(long tid) {
        return counting == tid && (Session.UNIQUE || inside == Thread.currentThread());
    }

    /**
     * Counts a call, where it {@link #counts}; by the thread itself. In steps of at most 35 bytes of code: so much C2 inlines into
     * compiled methods even where they were rarely counted until then, as those were that are demoted afterwards.
     */
    void count(int id) {
        if (Counters.direct(id)) increment(directStore, direct + ((long) id << 3));
        else inChunk(id);
    }

    private void inChunk(int id) {
        int chunk = id >> Layout.CHUNK_SHIFT;
        long place = placeOf(chunk);
        if (place != 0) add(chunk, place, id);
        else SlowPath.count(this, id);
    }

    private long placeOf(int chunk) {
        long[] counters = this.counters;
        return chunk < counters.length ? counters[chunk] : 0;
    }

    private void add(int chunk, long place, int id) {
        increment(blocks[chunk].store, place + ((id & Counters.WITHIN) << 3));
    }

    private void increment(Object store, long place) {
        Session.MEMORY.increment(store, place);
        pending++;
    }

    /** Takes over the counters of the ring. */
    void settle() {
        direct = ring == null ? 0 : ring.direct;
        directStore = direct == 0 ? null : ring.blocks[0].store;
        countable = direct != 0 && inside != null ? tid : NONE;
    }

    /** Keeps probes that are met from here on quiet. */
    void shut() {
        busy = true;
        limit = CLOSED;
        counting = NONE;
        counters = NO_CHUNKS;
    }

    /** Lets probes record again. */
    void reopen() {
        busy = false;
        limit = (adjust | owed) == 0 ? open : CLOSED;
        counting = countable;
        counters = ring == null ? NO_CHUNKS : ring.chunks;
    }

    /** The thread was held up for so many ticks: its next record says so. By the thread itself. */
    void adjust(long ticks) {
        adjust += ticks;
        limit = CLOSED;
    }

    /** Position of the next record. */
    long position() {
        return ring == null ? 0 : lap + (next - ring.origin) / Layout.RECORD_BYTES;
    }
}
