//! The session file's layout: every offset, size, state and bit that the Java runtime and the Rust
//! consumer share.
//!
//! This file is the single source. It depends on nothing, so that the build script of
//! `runtime-java` can take it in with `#[path]` and print [`CONSTANTS`] as a Java class.
//! [`LAYOUT_HASH`] covers all names and values; the JVM writes it into the header and a consumer
//! with another hash refuses the file. `docs/trace-format.md` explains the layout.
//!
//! All numbers in the file are little-endian; offsets are in bytes unless the name says otherwise.

/// One named number of the layout.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// Name in both languages.
    pub name: &'static str,
    /// Value; for 64-bit patterns the two's complement.
    pub value: i64,
    /// Whether Java must see a `long` (64-bit words and what is shifted into them) and not an
    /// `int`.
    pub long: bool,
    /// One sentence for the generated Java file.
    pub doc: &'static str,
}

macro_rules! constants {
    ($($kind:ident $name:ident = $value:expr, $doc:literal;)*) => {
        $(#[doc = $doc] pub const $name: constants!(@type $kind) = $value;)*

        /// All numbers of the layout, in the order of the file's areas.
        pub const CONSTANTS: &[Constant] = &[
            $(Constant {
                name: stringify!($name),
                value: $name as i64,
                long: constants!(@long $kind),
                doc: $doc,
            },)*
        ];
    };
    (@type offset) => { usize };
    (@type int) => { u32 };
    (@type long) => { u64 };
    (@long offset) => { false };
    (@long int) => { false };
    (@long long) => { true };
}

constants! {
    long MAGIC = 0x314d_4f48_5441_464a, "First eight bytes of a session file: 'JFATHOM1'. Written first, together with version and hash.";
    int VERSION = 15, "Version of the layout; raised with every change that older consumers cannot read.";
    int AREA_ALIGN = 4096, "Every area, ring header and ring begins at a multiple of this.";

    offset HEADER_MAGIC = 0, "u64: MAGIC.";
    offset HEADER_VERSION = 8, "u32: VERSION.";
    offset HEADER_STATE = 12, "u32, release: STATE_*; written by the JVM.";
    offset HEADER_LAYOUT_HASH = 16, "u64: LAYOUT_HASH.";
    offset HEADER_PID = 24, "u64: process id of the JVM.";
    offset HEADER_JVM_START_MILLIS = 32, "u64: start of the JVM, milliseconds since the epoch.";
    offset HEADER_CLOCK_KIND = 40, "u32: CLOCK_*.";
    offset HEADER_CLOCK_REASON = 44, "u32: CLOCK_REASON_*: why this clock was taken.";
    offset HEADER_CLOCK_HZ = 48, "u64: ticks per second of the clock.";
    offset HEADER_CLOCK_BASE_TICKS = 56, "u64: clock value from which the times of all records count.";
    offset HEADER_CLOCK_BASE_EPOCH_NANOS = 64, "u64: wall time at HEADER_CLOCK_BASE_TICKS, nanoseconds since the epoch.";
    offset HEADER_RING_BYTES = 72, "u64: data bytes of a ring that this JVM makes; a power of two.";
    offset HEADER_RECORDING = 80, "u32: RECORDING_*: what makes a thread record.";
    offset HEADER_ID_FIRST = 84, "u32: first method id of the span that the mode table and the virtual-thread counts cover.";
    offset HEADER_ID_COUNT = 88, "u32: number of ids in the span.";
    offset HEADER_RING_SLOTS = 92, "u32: number of descriptors that the ring directory has room for.";
    offset HEADER_INFO_OFFSET = 96, "u64: file offset of the info area.";
    offset HEADER_INFO_BYTES = 104, "u64: size of the info area.";
    offset HEADER_MODES_OFFSET = 112, "u64: file offset of the mode table, one byte (MODE_*) per id of the span.";
    offset HEADER_VIRTUAL_OFFSET = 120, "u64: file offset of the virtual-thread counts, one u64 per id of the span.";
    offset HEADER_DIRECTORY_OFFSET = 128, "u64: file offset of the ring directory.";
    offset HEADER_RINGS_USED = 136, "u32, release: descriptors ever used; grows only; written by the JVM.";
    offset HEADER_COUNTERS = 144, "u64, release: file offset of the newest counter block, zero without any; written by the JVM.";

    offset HEADER_OVERFLOW = 152, "u64, release: file offset from which on rings and counter blocks lie in the overflow file, at the same offsets there; zero without one; written by the JVM.";

    offset HEADER_ALLOCATED = 160, "u32: ALLOCATED_*: whether ALLOCATED records say what threads have allocated, and how that is read.";

    offset HEADER_THREAD_CLOCK = 164, "u32: 1 if RAN records say how long threads have run, else 0.";

    offset HEADER_READING_OFFSET = 168, "u64: file offset of the reading table, one bit per id of the span in u32 words: the methods whose calls read what their thread has allocated; zero if all timed calls do.";

    offset HEADER_ALLOWANCES_OFFSET = 184, "u64: file offset of the allowances, one u32 per id of the span: how many more calls of the method are timed (bits 0..23), 0 without a limit. Set by the collector. The JVM takes one for each timed call; at 1 it sets MODE_COUNT and leaves the 1. Bits from FLUSH_SHIFT on: of about two to the power of this number of timed calls, one is flushed; without a limit, each. OUTERMOST: only the outermost call of the method on a platform thread is timed, calls within it are counted.";

    offset HEADER_CAUGHT = 176, "u32: 1 if CAUGHT_CLASS records say of which classes the caught exceptions are, else 0.";

    offset HEADER_LOST_RECORDS = 512, "u64 counter: records not taken because the collector had left.";
    offset HEADER_LOST_RINGS = 520, "u64 counter: threads that got no ring because there was no space.";
    offset HEADER_VIRTUAL_CALLS = 528, "u64 counter: calls on virtual threads, the sum of the virtual-thread counts or more.";
    offset HEADER_UNFOLLOWED_HAND_OFFS = 536, "u64 counter: hand-offs to other threads that could not be followed.";
    offset HEADER_DUPLICATE_RUNTIMES = 544, "u64 counter: further copies of the runtime that were loaded in this JVM.";
    offset HEADER_THREADS_SEEN = 552, "u64 counter: threads that have had a ring.";
    offset HEADER_OUTSIDE_SPAN = 560, "u64 counter: calls of ids outside the span, which are not recorded.";
    offset HEADER_INFO_DROPPED = 568, "u64 counter: info entries that did not fit into the info area.";
    offset HEADER_WAITS = 576, "u64 counter: waits of producers for the collector.";

    offset HEADER_LOST_COUNTS = 584, "u64 counter: calls of counted methods that found no space for their counter.";

    offset HEADER_LOST_WAITING = 592, "u64 counter: records not taken because the collector made no room in time: it was stopped, or took nothing.";
    offset HEADER_LOST_RINGLESS = 600, "u64 counter: records of threads that got no ring.";
    offset HEADER_LOST_OVERFLOW = 608, "u64 counter: exits not taken because the thread's stack had no room for the probe; they are inferred.";
    offset HEADER_LOST_THREADS = 616, "u64 counter: threads that got no ring because there were too many threads.";
    offset HEADER_SILENT_ENDS = 624, "u64 counter: ends of the live session for want of a sign of life from the collector; written by the agent, before LIVE_RESTORING.";

    offset HEADER_END = 632, "u64: time of the session's end, as a record's time; zero before; written by the JVM, before STATE_ENDED.";

    offset HEADER_UNATTRIBUTED_BYTES = 640, "u64 counter: bytes that carriers have allocated between the records of two threads, which are in no ALLOCATED record.";

    offset HEADER_HAND_OFFS = 648, "u64 counter: hand-offs to other threads, followed or not.";

    offset HEADER_MOUNTS = 704, "u32: MOUNTS_*: whether PARKED records say how long virtual threads were parked; written by the agent, before a root is live.";

    offset HEADER_STACK_INTERVALS = 768, "u32 each, STACK_INTERVALS of them: the intervals to which MODE_STACK refers, zero where there is none; written before a mode refers to them, by the JVM or, live, by the agent.";

    offset HEADER_COLLECTOR_STATE = 1024, "u32, release: COLLECTOR_*; written by the collector.";
    offset HEADER_COLLECTOR_PID = 1032, "u64: process id of the collector.";
    offset HEADER_HEARTBEAT = 1040, "u64, release: counter that the collector raises while it lives; only its change has a meaning.";
    offset HEADER_TAKEN = 1048, "u64, release: rounds in which the collector has taken records; only its change has a meaning.";
    offset HEADER_NUMBERED = 1056, "u32: 1 if hand-offs are to be numbered; written by the collector.";
    offset HEADER_LIVE_STATE = 1536, "u32, release: LIVE_*; written by the agent.";
    offset HEADER_LIVE_COMMAND = 1600, "u32, release: COMMAND_*; written by the collector, or by who stops the session.";
    offset HEADER_PAUSES = 2048, "u32, release: number of the last change of HEADER_PAUSED, raised by the agent after it.";
    offset HEADER_PAUSED = 2056, "u64: ticks that all threads of the program were held up by the agent so far; only grows; written by the agent, before it raises HEADER_PAUSES.";
    offset HEADER_BYTES = 4096, "Size of the header page.";

    int STATE_STARTING = 1, "The JVM is still making the file: nothing but magic, version, hash and state may be read.";
    int STATE_READY = 2, "All areas are there; rings may appear.";
    int STATE_ENDED = 3, "The JVM's shutdown hook has run: the end was clean. Records may still arrive until the process ends.";

    int COLLECTOR_NONE = 0, "No collector has opened the file so far.";
    int COLLECTOR_ATTACHED = 1, "A collector takes records and raises the heartbeat.";
    int COLLECTOR_GONE = 2, "The collector has left in order: producers do not wait for it any more.";

    int LIVE_NONE = 0, "No live session: the classes were rewritten before the program ran.";
    int LIVE_WAITING = 1, "No root is live: its class is not loaded.";
    int LIVE_ROOT = 2, "A root is live: its next call is recorded.";
    int LIVE_RESTORING = 3, "The agent gives the classes their original bytes back.";
    int LIVE_RESTORED = 4, "Original bytes are back, and nothing of the agent touches the file any more.";

    int COMMAND_NONE = 0, "Nothing is asked of the agent.";
    int COMMAND_RESTORE = 1, "The session is to end: the agent restores the classes.";

    int MOUNTS_NONE = 0, "Nobody has asked for parked times: there are no PARKED records.";
    int MOUNTS_SEEN = 1, "Each mount and unmount of a virtual thread inside a root is seen.";
    int MOUNTS_MISSING = 2, "Parked times were asked for, and this JVM does not tell them.";

    int ALLOCATED_NONE = 0, "Nobody has asked for allocated bytes: there are no ALLOCATED records.";
    int ALLOCATED_FIELDS = 1, "Allocated bytes are read from fields of the JVM's own thread structure.";
    int ALLOCATED_BEAN = 2, "Allocated bytes are read from the JVM's management bean.";

    int LIVE_IDS = 262144, "Length of the id span of a live session.";
    int LIVE_CALIBRATION_IDS = 4, "So many ids at the end of the span of a live session belong to no method: the runtime measures itself with them.";

    int CLOCK_NANO_TIME = 0, "System.nanoTime; HEADER_CLOCK_HZ is 1e9.";
    int CLOCK_TSC = 1, "The processor's counter: TSC on x86-64, virtual counter on aarch64; HEADER_CLOCK_HZ is its frequency.";

    int CLOCK_REASON_DEFAULT = 0, "The default clock of this JVM version.";
    int CLOCK_REASON_TSC_LIBRARY = 1, "The counter, read by the native library.";
    int CLOCK_REASON_TSC_PAGE = 2, "The counter, read by a downcall to a page of code: no library could be used.";
    int CLOCK_REASON_NO_NATIVE_ACCESS = 3, "nanoTime: native access is not enabled for the runtime's module.";
    int CLOCK_REASON_NOT_INVARIANT = 4, "nanoTime: the processor's TSC is not invariant, or this could not be found out.";
    int CLOCK_REASON_NO_CODE_PAGE = 5, "nanoTime: no library could be used, and no executable page could be mapped.";
    int CLOCK_REASON_ARCHITECTURE = 6, "nanoTime: neither x86-64 nor aarch64, or not Linux.";
    int CLOCK_REASON_ASKED = 7, "nanoTime: the user asked for it.";
    int CLOCK_REASON_FAILED = 8, "nanoTime: setting up the counter failed in another way; an info entry says how.";
    int CLOCK_REASON_NO_LIBRARY = 9, "nanoTime: no library could be used, and this JVM has no downcalls for a page of code.";
    int CLOCK_REASON_JDK_PROBES = 10, "nanoTime: no library could be used, and methods of the JDK that a downcall runs through have probes.";
    int CLOCK_REASON_CHECKPOINTS = 11, "nanoTime: the JVM can be restored from a checkpoint on a machine with another counter.";

    int RECORDING_EVERYTHING = 0, "Every thread records from its first probe.";
    int RECORDING_ROOTS = 1, "A thread records only while it is inside a root method or a task that a root spawned.";

    int INFO_COMMITTED = 0, "u64, release: bytes of complete entries in the info area, this word not counted.";
    int INFO_ENTRIES = 8, "Offset in the info area of the first entry.";
    int INFO_ENTRY_KIND = 0, "u32 in an entry: INFO_* kind.";
    int INFO_ENTRY_LENGTH = 4, "u32 in an entry: bytes of UTF-8 text that follow.";
    int INFO_ENTRY_TEXT = 8, "Offset in an entry of its text; the next entry begins at the next multiple of INFO_ENTRY_ALIGN.";
    int INFO_ENTRY_ALIGN = 8, "Entries begin at multiples of this.";
    int INFO_DEFAULT_BYTES = 65536, "Usual size of the info area.";
    int INFO_MAX_BYTES = 16777216, "Largest size of the info area.";

    int INFO_JAVA_VERSION = 1, "System property java.version.";
    int INFO_VM_NAME = 2, "System property java.vm.name.";
    int INFO_VM_VERSION = 3, "System property java.vm.version.";
    int INFO_VENDOR = 4, "System property java.vendor.";
    int INFO_OS_NAME = 5, "System properties os.name and os.version.";
    int INFO_OS_ARCH = 6, "System property os.arch.";
    int INFO_CPUS = 7, "Runtime.availableProcessors, decimal.";
    int INFO_COMMAND = 8, "The program and its arguments as the JVM knows them.";
    int INFO_FLAGS = 9, "One JVM flag; an entry for each.";
    int INFO_MANIFEST = 10, "A manifest that the runtime has seen: first id, id count, plan id (hex), place; separated by tabs.";
    int INFO_NOTICE = 11, "A sentence for the user, such as why something is not recorded.";
    int INFO_CALIBRATION = 12, "What the runtime has measured of its own probes: fields key=value, separated by blanks; see the page.";
    int INFO_CAUGHT_CLASS = 13, "The name of a class of exceptions: its number in decimal digits, a tab, what Class.getName says.";
    int CAUGHT_CLASSES_MAX = 1024, "Most classes of exceptions that get a number; the first one gets 1.";
    int CAUGHT_NAMES_BYTES = 65536, "Bytes by which the info area is larger if HEADER_CAUGHT is 1; the names of classes take no more.";

    int FLUSH_SHIFT = 24, "See HEADER_ALLOWANCES_OFFSET.";
    int FLUSH_BITS = 5, "Bits of that number.";
    int FLUSH_MAX = 24, "Its largest value.";
    int OUTERMOST_SHIFT = 31, "The bit of OUTERMOST in an allowance: the sign, as Java reads it.";

    int MODE_TIME = 0, "Mode of a method: each call is recorded with its times.";
    int MODE_COUNT = 1, "Mode of a method: each call adds one to a counter of its thread, and no clock is read.";
    int MODE_OFF = 2, "Mode of a method: not recorded.";
    int MODE_MASK = 3, "The bits of a mode byte that hold one of the modes above.";
    int MODE_FIRST_CALL = 4, "Flag in a mode byte beside the mode: the method's next call inside a root is told to the agent, and waits for it. Set and cleared by the agent; whoever writes a mode keeps it.";
    int MODE_STACK = 128, "Flag in a mode byte, never beside MODE_OFF: at each call of so many the stack is walked. The sign of the byte as Java reads it.";
    int MODE_INTERVAL_SHIFT = 3, "Beside MODE_STACK the bits of a mode byte from this one on have the place in HEADER_STACK_INTERVALS of how many calls these are.";
    int READING_SHIFT = 5, "A u32 word of the reading table has the bits of 1 << READING_SHIFT ids, the lowest id in the lowest bit.";
    int STACK_INTERVALS = 16, "Number of intervals in HEADER_STACK_INTERVALS.";

    int RING_SLOTS_DEFAULT = 32768, "Usual number of descriptors.";
    int RING_SLOTS_MAX = 1048576, "Largest number of descriptors.";
    int DESCRIPTOR_BYTES = 64, "Size of a ring descriptor.";
    int DESCRIPTOR_STATE = 0, "u32, release: RING_*. ACTIVE and ENDED are written by the JVM, DRAINED by the consumer.";
    int DESCRIPTOR_OFFSET = 8, "u64: file offset of the ring's header.";
    int DESCRIPTOR_RING_BYTES = 16, "u64: data bytes of the ring; a power of two.";
    int DESCRIPTOR_SEQUENCE = 24, "u64: number of the thread in this JVM, from 1, never reused.";
    int DESCRIPTOR_THREAD_ID = 32, "u64: Thread.getId of the thread, as Thread's own code gives it.";
    int DESCRIPTOR_START = 40, "u64: position (in records) of the thread's first record, THREAD_START.";
    int DESCRIPTOR_KERNEL_ID = 48, "u64: the kernel's id of the thread, in the JVM's pid namespace; 0 if it is not known.";

    int RING_FREE = 0, "The descriptor has never been used.";
    int RING_ACTIVE = 1, "A thread owns the ring; all fields of the descriptor and the ring header are set before.";
    int RING_ENDED = 2, "The thread has ended and its last record is written.";
    int RING_DRAINED = 3, "The consumer has taken all and zeroed all; the JVM may give the ring to another thread.";

    int RING_CONSUMED = 2048, "u64, release, in the ring header: records handed back to the producer; written by the consumer.";
    int RING_NAME_LENGTH = 128, "u32 in the ring header: bytes of the thread's name.";
    int RING_NAME = 132, "UTF-8 in the ring header: the thread's name, cut after RING_NAME_MAX bytes.";
    int RING_NAME_MAX = 1024, "Most bytes of a thread's name.";
    int RING_HEADER_BYTES = 4096, "Size of the ring header; the records follow.";
    int RING_BYTES_DEFAULT = 1048576, "Usual data bytes of a ring.";
    int RING_BYTES_MIN = 512, "Fewest data bytes of a ring.";
    int RING_BYTES_MAX = 1073741824, "Most data bytes of a ring.";

    int COUNTERS_NEXT = 0, "u64 in a counter block: file offset of the block made before it, zero for the first.";
    int COUNTERS_CHUNKS = 8, "u32 in a counter block: number of its chunks.";
    int COUNTERS_OWNERS = 64, "u64 each in a counter block, release: whose a chunk is: place of the ring plus 1 in bits 32..63, number of the chunk in the others; zero while it is nobody's.";
    int COUNTERS_HEADER_BYTES = 8192, "Size of a counter block's header; the chunks follow.";
    int COUNTERS_CHUNKS_DEFAULT = 14, "Usual number of chunks of a block.";
    int COUNTERS_CHUNKS_MAX = 64, "Most chunks of a block.";
    int CHUNK_SHIFT = 9, "A chunk has 1 << CHUNK_SHIFT counters, u64 each: those of the ids whose upper bits are its number.";
    int COUNTER_TAG_SHIFT = 44, "A counter holds the calls that have no record so far in bits 0..43; in those above, the number of COUNTED and COUNTED_PAIR records of the thread up to the last that named the method.";
    int CHUNK_BYTES = 4096, "Size of a chunk.";

    int RECORD_BYTES = 8, "Size of a record.";
    int TIME_BITS = 39, "A timed record holds the low TIME_BITS of its time in bits 0..38.";
    int TIMED_ID_SHIFT = 40, "A timed record holds its method id in bits 40..61.";
    int ID_BITS = 22, "Bits of a method id.";
    long UNFLUSHED = 0x0000_0080_0000_0000, "Bit 39 of a timed record: the call is not flushed. COUNTED records of what it counts belong to the nearest flushed call around it.";
    int TYPE_SHIFT = 62, "A record holds its type in bits 62..63.";
    int TYPE_ESCAPE = 0, "Type of a record whose bits 56..61 hold an ESCAPE_* kind (never zero).";
    int TYPE_ENTRY = 1, "Type of a method's entry.";
    int TYPE_RETURN = 2, "Type of a method's exit by return.";
    int TYPE_THROW = 3, "Type of a method's exit by an exception.";
    long ENTRY = 0x4000_0000_0000_0000, "TYPE_ENTRY, shifted into place.";
    long RETURN = 0x8000_0000_0000_0000, "TYPE_RETURN, shifted into place.";
    long THROW = 0xc000_0000_0000_0000, "TYPE_THROW, shifted into place.";

    int ESCAPE_SHIFT = 56, "An escape holds its kind in bits 56..61.";
    int ESCAPE_ID_SHIFT = 34, "An escape with an id holds it in bits 34..55.";
    int COARSE_SHIFT = 6, "An escape with an id and a time holds bits 6..38 of the time in its bits 0..32.";
    long ESCAPE_THREAD_START = 0x0100_0000_0000_0000, "First record of a thread: high bits of the time from TIME_BITS on (bits 32..55), low 32 bits of the thread's number.";
    long ESCAPE_THREAD_END = 0x0200_0000_0000_0000, "Last record of a thread, if its end was seen; payload zero.";
    long ESCAPE_TIME_HIGH = 0x0300_0000_0000_0000, "The times that follow have these high bits from TIME_BITS on (bits 0..24).";
    long ESCAPE_ADJUST = 0x0400_0000_0000_0000, "This many ticks (bits 0..55) before the next time were the recorder's own wait and are no time of the program.";
    long ESCAPE_CAUGHT = 0x0500_0000_0000_0000, "An exception was caught in the method with this id: id and coarse time.";
    long ESCAPE_TASK_OPEN = 0x0600_0000_0000_0000, "A task spawned inside the root with this id begins to run: id and coarse time.";
    long ESCAPE_TASK_CLOSE = 0x0700_0000_0000_0000, "The innermost open task with this root id has ended: id and coarse time.";
    long ESCAPE_COUNTED = 0x0900_0000_0000_0000, "So many calls (bits 0..33) of the counted method with this id since its last such record.";
    long ESCAPE_COUNTED_PAIR = 0x0a00_0000_0000_0000, "The same of two counted methods: ids in bits 34..55 and 6..27, their calls in bits 28..33 and 0..5.";
    long ESCAPE_UNSAMPLED = 0x0b00_0000_0000_0000, "A call of the root with this id that root sampling left out has ended: id, and how many ticks it took (bits 0..27), shifted right by bits 28..33.";
    long ESCAPE_SWITCH = 0x0c00_0000_0000_0000, "The records that follow in this ring are those of the virtual thread with this number (bits 0..55), which the ring's thread carries; zero: the ring's own thread's again. A SWITCH_TIME follows.";
    long ESCAPE_SWITCH_TIME = 0x0d00_0000_0000_0000, "Right after a SWITCH: the time of it (bits 0..55), whose high bits the times that follow have.";
    long ESCAPE_VIRTUAL_END = 0x0e00_0000_0000_0000, "The virtual thread with this number (bits 0..55) has ended; its records are in any rings.";
    long ESCAPE_HAND_OFF = 0x0f00_0000_0000_0000, "The thread has handed a task to another thread: number of the hand-off in bits 34..55, which wraps, and coarse time. Only while HEADER_NUMBERED is set.";
    long ESCAPE_TASK_NUMBER = 0x1000_0000_0000_0000, "After a TASK_OPEN: its task was handed off with this number in bits 34..55; and coarse time.";
    long ESCAPE_PARKED = 0x1100_0000_0000_0000, "Of the time since its last record, the virtual thread was parked for this many ticks (bits 0..55): it had no carrier.";
    long ESCAPE_ALLOCATED = 0x1200_0000_0000_0000, "Since its last record the thread has allocated this many bytes (bits 0..55) on the Java heap.";
    long ESCAPE_RAN = 0x1300_0000_0000_0000, "Until the time of the next record with one, the thread has run for this many ns (bits 0..54) since the record that followed its last RAN, by its CPU clock. What reading the clock took is in the ADJUST after it.";
    long ESCAPE_CAUGHT_CLASS = 0x1400_0000_0000_0000, "The exception of the CAUGHT that follows is of the class with this number (bits 0..31); zero: of one without a number. Only a TIME_HIGH may be between the two. Before a CAUGHT of a handler of any exception there is none.";
    long RAN_FIRST = 0x0080_0000_0000_0000, "Bit 55 of a RAN: the thread's clock is known from the next time on, and not before.";
    int RAN_GAP_NANOS = 10000, "After so many ns without a record a thread's clock is read; see the page.";
    int UNSAMPLED_BITS = 36, "An UNSAMPLED holds the upper 64 - UNSAMPLED_BITS bits of its ticks.";
    int COUNTED_PAIR_SHIFT = 28, "A COUNTED_PAIR holds the calls of its first method in bits 28..33.";
    int COUNTED_PAIR_BITS = 6, "Bits of the calls of each method in a COUNTED_PAIR; it holds its second id above the lowest.";
}

/// FNV-1a, 64 bits, over name, a zero byte and the value (eight bytes, little-endian) of each
/// constant, in order.
pub const LAYOUT_HASH: u64 = layout_hash();

const fn layout_hash() -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut i = 0;
    while i < CONSTANTS.len() {
        hash = fnv(fnv(hash, CONSTANTS[i].name.as_bytes()), &[0]);
        hash = fnv(hash, &CONSTANTS[i].value.to_le_bytes());
        i += 1;
    }
    hash
}

const fn fnv(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}
