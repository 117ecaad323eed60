package jfathom.runtime;

/**
 * What writes the records of one platform thread, and of the virtual threads that it carries. Only
 * the thread itself writes the fields, unless the field says otherwise. Before a handed-off thread
 * starts, the thread that hands it off does.
 *
 * <p>{@code next}, {@code limit} and {@code end} are places as {@link Memory#put} takes them:
 * addresses, or offsets in {@code store}.
 */
final class ThreadRecorder {
    /** A limit below every place: each record takes the slow path. */
    static final long CLOSED = Long.MIN_VALUE;
    static final long[] NO_CHUNKS = {};
    static final Region[] NO_BLOCKS = {};
    /** A number that no thread has. */
    static final long NONE = -1;
    /** In the slots of threads that are outside. */
    static final ThreadRecorder NO_RECORDER = new ThreadRecorder();
    /**
     * In the slots of threads that are outside, once a virtual thread has been inside: a virtual
     * thread asks out of line whether it is.
     */
    static final ThreadRecorder UNKNOWN = new ThreadRecorder();

    /**
     * The thread of {@code activity} while it is inside a root, else null. It stays when a virtual
     * thread goes on with another carrier: see {@link #isCurrent}.
     */
    Thread inside;
    /** Place of the next record. */
    long next;
    /**
     * Where the fast path ends: {@code open}, or CLOSED. It is CLOSED while the slow path works,
     * which keeps probes in it quiet, and while there is something in {@code excluded} or {@code
     * switched}, or the thread owes an exit.
     */
    long limit = CLOSED;
    /** High bits of the time that the consumer knows for this thread. */
    long high;
    /** Mode epoch that the consumer knows for this thread. */
    int epoch;
    /** Whether calls may wait for a record that were not counted by {@code direct}. */
    boolean hasChunkCalls;
    /** A COUNTED record of few calls that another method may share; 0 without one. */
    long few;
    /** COUNTED records written so far, in the bits of a counter's tag. */
    long countedRecords;
    /** Ticks of excluded time since the last record: the next one is written after an ADJUST. */
    long excluded;
    /** 1 if a SWITCH belongs before the next record: the last ones are another thread's. Else 0. */
    long switched;
    /** Value of HEADER_PAUSED up to which this thread has excluded pauses. */
    long paused;
    /**
     * Where {@link Allocated} reads what the owner has allocated: the address of the JVM's
     * structure of the thread, or the thread's number. 0 if it is not recorded.
     */
    long heapPlace;
    /** Offset in the head of the reading table; 0 if all timed calls read what they allocate. */
    long reading;
    /** What the owner had allocated at its last record. */
    long allocated;
    /** What the owner had allocated when the runtime began to work on it. */
    long measured;
    /**
     * Ticks without a record after which the owner's CPU clock is read; 0 if it never is, and while
     * there is no ring.
     */
    long clockGap;
    /** Time of the last record, or of an earlier one; only with a {@code clockGap}. */
    long recorded;
    /** The owner's CPU clock in ns when it was last read; 0 before. */
    long ran;
    /** The CAUGHT_CLASS record that belongs right before the next record, or 0. */
    long caughtClass;
    /** What {@link Memory#put} needs beside the place. */
    Object store;
    /**
     * {@code countable}, or NONE while the slow path works. A probe counts if this is its thread's
     * number.
     */
    long counting = NONE;
    /** Place of the counter of id 0, if {@code countable} is set. Those of other ids follow it. */
    long direct;
    /** Places of the line mark and of the chunk mark of id 0. As {@code direct}. */
    long lines;
    long marks;
    /** The first chunk whose counter is there: 0 but for {@link Calibration}. */
    int firstChunk;
    /** What {@link Memory#counter} and {@link Memory#mark} need beside these places. */
    Object directStore;
    /**
     * Places of the counter chunks by number, 0 where there is none. Empty while the slow path
     * works.
     */
    long[] counters = NO_CHUNKS;
    /** The counter blocks that hold the chunks. */
    Region[] blocks = NO_BLOCKS;

    final Thread owner;
    /**
     * The owner, unless there is a {@code parkedPlace}: then null, and a virtual thread is asked
     * out of line whether it was parked.
     */
    private Thread carrier;
    /**
     * Address of the ticks for which the virtual thread that the owner carries was parked, as far
     * as they have no record. 0 if nobody has asked for them.
     */
    private long parkedPlace;
    /** {@link Memory#tid} of the owner. */
    final long tid;
    /** The thread's number if it is inside and has counters of its own, else NONE. */
    long countable = NONE;
    /** What is known of the owner. */
    final Activity own;
    /** What is known of the thread that is recorded: {@code own}, or a virtual thread's. */
    Activity activity;
    /** A virtual thread that was found outside: see {@link VirtualThreads#isKnownOutside}. */
    Thread outside;

    int outsideUntil;
    /** State of the random numbers of {@link RootSampling}; zero at first. */
    long random;
    /** The limit while no slow path works: places below are free. CLOSED without a ring. */
    long open = CLOSED;
    /** Place after the ring's last slot. */
    long end;
    /** Position (in records) of the ring's first slot in the present lap. */
    long lap;
    /** Whether the slow path works on this thread. */
    boolean busy;
    /** Whether the thread waits for the agent in a call whose time the runtime measures. */
    boolean awaiting;
    /**
     * The ring; null if the thread has none. Written under {@link Threads#LOCK}: by the thread, and
     * when it has died by another.
     */
    Ring ring;
    /** Lost records that are not yet added to the header. */
    long lost;

    /** The counter in the header to which {@code lost} goes. */
    int lostTo = Layout.HEADER_LOST_RECORDS;
    /** Records lost because the stack had no room, and not yet added to the header. */
    long overflows;
    /** Becomes {@link Activity#owed} when it is needed. Null after the heap was full. */
    Owed spare = new Owed();

    /** Whether {@code spare} has become an activity's. */
    boolean lent;
    /** Records that the consumer had handed back when a wait was in vain; NONE before one was. */
    long gaveUpAt = NONE;
    /** Whether the owner is virtual: its calls are counted by method, and not recorded. */
    final boolean virtual;
    /** Whether the thread was handed off and has not reached its first probe. */
    boolean handedOff;
    /** When it was handed off, by System.nanoTime. */
    long since;
    /**
     * Whether other threads may share the slot in {@link Session#TABLE}, which then never holds
     * NO_RECORDER. Set under {@link Threads#LOCK}, never cleared; the owner reads it without.
     */
    volatile boolean shared;
    /**
     * The next thread recorder with the same slot. Written under {@link Threads#LOCK}, read
     * without. Stays when this one is removed.
     */
    ThreadRecorder behind;
    /** Index in the list of all thread recorders; guarded by {@link Threads#LOCK}. */
    int index;

    ThreadRecorder(Thread owner, boolean virtual) {
        this.owner = owner;
        this.virtual = virtual;
        carrier = owner;
        tid = Session.MEMORY.tid(owner);
        own = new Activity(owner);
        own.recorder = this;
        activity = own;
    }

    private ThreadRecorder() {
        owner = null;
        virtual = false;
        tid = NONE;
        own = null;
    }

    /** Whether the current thread's records go here. */
    boolean isCurrent() {
        Thread thread = Thread.currentThread();
        return inside == thread && (owner == thread || isCarrying());
    }

    /**
     * Whether the virtual thread in {@code inside}, which asks, is carried by the owner, and has
     * used no other recorder since it was last here.
     */
    private boolean isCarrying() {
        return activity.recorder == this
                && (carrier == Carriers.current() || carrier == null && isUnparked());
    }

    /** Whether the owner carries the current thread, and no parked time waits for a record. */
    private boolean isUnparked() {
        return owner == Carriers.current() && parked() == 0;
    }

    /** Watches a word for parked times, which is the owner's for its life. */
    void watchParked(long place) {
        parkedPlace = place;
        carrier = place == 0 ? owner : null;
    }

    /**
     * Ticks for which the virtual thread that the owner carries was parked, and which have no
     * record. Only the owner may ask.
     */
    long parked() {
        return parkedPlace == 0 ? 0 : Session.MEMORY.counter(null, parkedPlace);
    }

    /** A virtual thread comes inside: what it was parked before is in none of its times. */
    void beginParked() {
        if (parkedPlace == 0 || activity == own) return;
        forgetParked();
        Variant.HOST.watchMounts();
    }

    /** The parked times so far have a record. Only by the owner. */
    void forgetParked() {
        if (parkedPlace != 0) Session.MEMORY.setCounter(null, parkedPlace, 0);
    }

    /** A SWITCH belongs before the next record: with it goes what the thread was parked for. */
    void switchAgain() {
        if (heapPlace != 0) Allocated.change(this, true);
        switched = 1;
        limit = CLOSED;
    }

    /** Whether this belongs to the current thread, whose number is {@code tid}, and can count. */
    boolean canCount(long tid) {
        return counting == tid && (Session.UNIQUE || inside == Thread.currentThread());
    }

    /**
     * Counts a call; only if {@link #canCount}, of an id of the span, and by the thread itself.
     * False if the slow path must. In steps of at most 35 bytes of bytecode: C2 inlines such a
     * method even where it has rarely seen it called, as in methods that were timed until then.
     */
    boolean count(int id) {
        return Counters.isDirect(id) ? countDirect(id) : countInChunk(id);
    }

    private boolean countDirect(int id) {
        markDirect(id);
        return increment(directStore, direct + ((long) id << 3));
    }

    /** The marks come before the call: so no call is counted that no record will tell. */
    void markDirect(int id) {
        mark(directStore, lines + (id >> Counters.LINE_SHIFT));
        mark(directStore, marks + (id >> Layout.CHUNK_SHIFT));
    }

    private boolean countInChunk(int id) {
        long place = chunkPlace(id);
        return place != 0 && countAt(place, id);
    }

    /** Place of the id's chunk; 0 without one. */
    private long chunkPlace(int id) {
        long[] counters = this.counters;
        int chunk = id >> Layout.CHUNK_SHIFT;
        return chunk < counters.length ? counters[chunk] : 0;
    }

    /** Counts a call in the chunk of the id, which is at the place {@code chunk}. */
    boolean countAt(long chunk, int id) {
        markInChunk(id);
        return increment(store(id), chunk + ((id & Counters.WITHIN) << 3));
    }

    private Object store(int id) {
        return blocks[id >> Layout.CHUNK_SHIFT].store;
    }

    void markInChunk(int id) {
        hasChunkCalls = true;
        mark(store(id), line(id));
        markChunk(id);
    }

    private void markChunk(int id) {
        mark(store(id), ring.marks[id >> Layout.CHUNK_SHIFT]);
    }

    /** Place of the mark of the id's line, in its chunk. */
    private long line(int id) {
        return ring.lines[id >> Layout.CHUNK_SHIFT]
                + ((id & Counters.WITHIN) >> Counters.LINE_SHIFT);
    }

    private static void mark(Object store, long place) {
        Session.MEMORY.setMark(store, place, (byte) 1);
    }

    private static boolean increment(Object store, long place) {
        Session.MEMORY.setCounter(store, place, Session.MEMORY.counter(store, place) + 1);
        return true;
    }

    /** Takes over the ring's counters. */
    void adoptCounters() {
        direct = ring == null ? 0 : ring.direct;
        lines = direct == 0 ? 0 : ring.lines[0];
        marks = direct == 0 ? 0 : ring.marks[0];
        directStore = direct == 0 ? null : ring.blocks[0].store;
        // A virtual thread counts out of line: it may be on another carrier.
        countable = direct != 0 && inside == owner ? tid : NONE;
        if (switched != 0) countable = NONE;
    }

    /** From here on the records are those of another thread, which runs on the owner. */
    void mount(Activity next) {
        boolean goesOn = next.recorder != null && next.depth > 0;
        if (heapPlace != 0) Allocated.change(this, activity.depth > 0 || goesOn);
        next.recorder = this;
        // The thread that was here has taken it along.
        if (lent || spare == null) spare = Owed.make();
        lent = false;
        long now = Session.paused();
        activity = next;
        exclude(goesOn ? Math.max(now - next.settled, 0) : 0, now);
        switched = 1;
        inside = next.depth > 0 ? next.thread : null;
        adoptCounters();
        reopen();
        if (inside != null) Threads.show(this);
        if (heapPlace != 0) Allocated.settle(this);
    }

    /** The runtime begins to work on the thread: see {@link Allocated#begin}. */
    void beginWork() {
        if (heapPlace != 0) Allocated.begin(this);
    }

    /** The runtime's work on the thread ends. */
    void endWork() {
        if (heapPlace != 0) Allocated.end(this);
    }

    /** Keeps probes quiet until {@link #reopen}. */
    void close() {
        busy = true;
        limit = CLOSED;
        counting = NONE;
        counters = NO_CHUNKS;
    }

    /** Lets probes record again. {@link SlowPath} spells this out where it may make no call. */
    void reopen() {
        busy = false;
        limit = (excluded | switched) == 0 && activity.owed == null ? open : CLOSED;
        counting = countable;
        counters = ring == null ? NO_CHUNKS : ring.chunks;
    }

    /** Excludes ticks from the thread's times: they are written before the next record. */
    void exclude(long ticks) {
        exclude(excluded + ticks, paused);
        limit = CLOSED;
    }

    /** Sets the excluded ticks, and the value of HEADER_PAUSED up to which they hold. */
    void exclude(long ticks, long upTo) {
        excluded = ticks;
        paused = upTo;
        activity.settled = upTo - ticks;
    }

    /** Keeps an exit or catch for later. False if another one is lost for it, or this one. */
    boolean owe(long head, long time, int shift) {
        Owed before = activity.owed;
        Owed owed = before == null ? spare : before;
        if (owed == null) return false;
        owed.head = head;
        owed.time = time;
        owed.shift = shift;
        if (before != null) return false;
        lent = true;
        activity.owed = owed;
        return true;
    }

    /** Position (in records) of the next record. */
    long position() {
        return ring == null ? 0 : lap + (next - ring.origin) / Layout.RECORD_BYTES;
    }
}
