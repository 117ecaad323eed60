package jfathom.runtime;

/**
 * What writes the records of one platform thread, and of the virtual threads that it carries. Only
 * the thread itself writes the fields, unless the field says otherwise. Before a handed-off thread
 * starts, the thread that hands it off does.
 *
 * <p>What the fast path reads is here. What only the slow path needs is in parts, each of which
 * says whose it is.
 *
 * <p>{@code next} and {@code limit} are places as {@link Memory#put} takes them: addresses, or
 * offsets in {@code store}.
 */
final class ThreadRecorder {
    /** A limit below every place: each record takes the slow path. */
    static final long CLOSED = Long.MIN_VALUE;
    /** A number that no thread has. */
    private static final long NONE = -1;
    /** In the slots of threads that are outside. */
    static final ThreadRecorder NO_RECORDER = new ThreadRecorder();
    /**
     * In the slots of threads that are outside, once a virtual thread has been inside: a virtual
     * thread asks out of line whether it is.
     */
    static final ThreadRecorder UNKNOWN = new ThreadRecorder();

    // The cursor of the ring.

    /** Place of the next record. */
    long next;
    /**
     * Where the fast path ends: {@code open}, or CLOSED. It is CLOSED while the slow path works,
     * which keeps probes in it quiet, and while there is something in {@code excluded} or {@code
     * switched}, or the thread owes an exit.
     */
    long limit = CLOSED;
    /** The limit while no slow path works: places below are free. CLOSED without a ring. */
    long open = CLOSED;
    /** High bits of the time that the consumer knows for this thread. */
    long high;
    /** Number of the last pause that this thread has looked for in HEADER_PAUSED. */
    int pauses;
    /** What {@link Memory#put} needs beside the place. */
    Object store;
    /**
     * The ring; null if the thread has none. Written under {@link ThreadTable#LOCK}: by the thread,
     * and when it has died by another.
     */
    Ring ring;
    /** Where the cursor stands in the ring. */
    final RingLap lap = new RingLap();

    // Counted calls.

    /** The owner's counters; null without any. Written as {@code ring}. */
    ThreadCounters counters;
    /** The owner's row in {@link CounterTable}. Only the owner changes it. */
    int row = CounterTable.NO_ROW;
    /**
     * What is in the row while no slow path works: the owner's number while it is inside and can
     * count in place, else CLOSED.
     */
    long counting = CounterTable.CLOSED;

    final CountedRecords counted = new CountedRecords();

    // What belongs before the next record, or is not to be in the times.

    /** Ticks of excluded time since the last record: the next one is written after an ADJUST. */
    long excluded;
    /** Value of HEADER_PAUSED up to which this thread has excluded pauses. */
    long paused;
    /** 1 if a SWITCH belongs before the next record: the last ones are another thread's. Else 0. */
    long switched;
    /** The CAUGHT_CLASS record that belongs right before the next record, or 0. */
    long caughtClass;
    /** Whether the slow path works on this thread. */
    boolean busy;
    /** Whether the thread waits for the agent in a call whose time the runtime measures. */
    boolean awaiting;

    final Debt debt = new Debt();
    final LossCounts losses = new LossCounts();

    // What is measured beside the time.

    /** {@link AllocatedBytes#place} of the owner. 0 if what it allocates is not recorded. */
    long heapPlace;
    /**
     * Ticks without a record after which the owner's CPU clock is read; 0 if it never is, and while
     * there is no ring.
     */
    long clockGap;

    final HeapReading heap = new HeapReading();
    final CpuReading cpu = new CpuReading();

    // Whose records are written.

    final Thread owner;
    /** {@link Memory#tid} of the owner. */
    final long tid;
    /** Whether the owner is virtual: its calls are counted by method, and not recorded. */
    final boolean virtual;
    /**
     * The thread of {@code activity} while it is inside a root, else null. It stays when a virtual
     * thread goes on with another carrier: see {@link #isCurrent}.
     */
    Thread inside;
    /**
     * The owner, unless {@code parked} has a place: then null, and a virtual thread is asked out of
     * line whether it was parked.
     */
    private Thread carrier;
    /** What is known of the owner. */
    final Activity own;
    /** What is known of the thread that is recorded: {@code own}, or a virtual thread's. */
    Activity activity;
    /** A virtual thread that was found outside: see {@link VirtualThreads#isKnownOutside}. */
    Thread outside;

    int outsideUntil;

    /** Of calls of the owner's own; not of a virtual thread that it carries. */
    final OutermostCalls outermost = new OutermostCalls();

    final ParkedTime parked = new ParkedTime();
    final RandomNumbers random;

    // Where the recorder is found.

    /**
     * Whether other threads may share the slot in {@link ThreadTable#SLOTS}, which then never holds
     * NO_RECORDER. Set under {@link ThreadTable#LOCK}, never cleared; the owner reads it without.
     */
    volatile boolean shared;
    /**
     * The next thread recorder with the same slot. Written under {@link ThreadTable#LOCK}, read
     * without. Stays when this one is removed.
     */
    ThreadRecorder behind;

    final Registration registration = new Registration();

    ThreadRecorder(Thread owner, boolean virtual) {
        this.owner = owner;
        this.virtual = virtual;
        carrier = owner;
        tid = Session.MEMORY.tid(owner);
        random = new RandomNumbers(tid);
        own = new Activity(owner);
        own.recorder = this;
        activity = own;
    }

    private ThreadRecorder() {
        owner = null;
        virtual = false;
        tid = NONE;
        random = null;
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
        return owner == Carriers.current() && parked.ticks() == 0;
    }

    /** Watches a word for parked times, which is the owner's for its life. */
    void watchParked(long place) {
        parked.place = place;
        carrier = place == 0 ? owner : null;
    }

    /** A virtual thread comes inside: what it was parked before is in none of its times. */
    void beginParked() {
        if (parked.place == 0 || activity == own) return;
        parked.forget();
        Variant.HOST.watchMounts();
    }

    /** A SWITCH belongs before the next record: with it goes what the thread was parked for. */
    void switchAgain() {
        if (heapPlace != 0) heap.change(heapPlace, true);
        switched = 1;
        limit = CLOSED;
    }

    /**
     * Takes over the counters that the ring has now. By the owner, or before it starts. A virtual
     * thread counts out of line: it may be on another carrier.
     */
    void adoptCounters() {
        counters = ring == null ? null : ring.counters;
        boolean isReady = counters != null && counters.base != 0;
        counting = isReady && inside == owner && switched == 0 ? tid : CounterTable.CLOSED;
        if (counting != CounterTable.CLOSED) takeRow();
    }

    /**
     * Writes where the counters are into the row, if the owner's slot is its own. Threads that the
     * JVM is still making have none: all of them have the number 0.
     */
    void takeRow() {
        if (!Session.UNIQUE || tid == 0 || !ThreadTable.isHome(this)) return;
        int slot = (int) tid & Session.TABLE_MASK;
        row = slot << 1;
        CounterTable.ROWS[row + 1] = counters.base;
        if (CounterTable.STORES.length > 0) CounterTable.STORES[slot] = counters.stores;
    }

    /** Whether a call of the owner can be counted now, if {@code counters} has the counter. */
    boolean canCount() {
        return counting != CounterTable.CLOSED && !busy;
    }

    /** From here on the records are those of another thread, which runs on the owner. */
    void mount(Activity next) {
        boolean goesOn = next.recorder != null && next.depth > 0;
        if (heapPlace != 0) heap.change(heapPlace, activity.depth > 0 || goesOn);
        next.recorder = this;
        debt.renew();
        long now = Session.paused();
        activity = next;
        exclude(goesOn ? Math.max(now - next.settled, 0) : 0, now);
        switched = 1;
        inside = next.depth > 0 ? next.thread : null;
        adoptCounters();
        reopen();
        if (inside != null) ThreadTable.show(this);
        if (heapPlace != 0) heap.settle(heapPlace);
    }

    /** The runtime begins to work on the thread: see {@link HeapReading#begin}. */
    void beginWork() {
        if (heapPlace != 0) heap.begin(heapPlace);
    }

    /** The runtime's work on the thread ends. */
    void endWork() {
        if (heapPlace != 0) heap.end(heapPlace);
    }

    /** Keeps probes quiet until {@link #reopen}. */
    void close() {
        busy = true;
        limit = CLOSED;
        CounterTable.ROWS[row] = CounterTable.CLOSED;
    }

    /** Lets probes record again. {@link SlowPath} spells this out where it may make no call. */
    void reopen() {
        busy = false;
        limit = (excluded | switched) == 0 && activity.owed == null ? open : CLOSED;
        CounterTable.ROWS[row] = counting;
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
        Owed owed = before == null ? debt.spare : before;
        if (owed == null) return false;
        owed.head = head;
        owed.time = time;
        owed.shift = shift;
        if (before != null) return false;
        debt.lent = true;
        activity.owed = owed;
        return true;
    }

    /** Position (in records) of the next record. */
    long position() {
        return ring == null ? 0 : lap.start + (next - ring.origin) / Layout.RECORD_BYTES;
    }
}
