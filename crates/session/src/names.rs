//! Names that the collector, the agent and the Java runtime share: environment variables, and files
//! in the session directory.
//!
//! This file is the single source. It depends on nothing, so that the build script of
//! `runtime-java` can take it in with `#[path]` and print [`SHARED_NAMES`] into a Java class.
//! `docs/trace-format.md` explains the names. Both sides of a recording must have the same ones: a
//! change raises the version of the session file's layout.

/// A name that the Java runtime uses, too.
#[derive(Clone, Copy, Debug)]
pub struct SharedName {
    /// The constant's name in both languages.
    pub name: &'static str,
    /// Value.
    pub value: &'static str,
    /// One sentence for the generated Java file.
    pub doc: &'static str,
}

macro_rules! shared_names {
    ($($name:ident = $value:literal, $doc:literal;)*) => {
        $(#[doc = $doc] pub const $name: &str = $value;)*

        /// All names that the Java runtime uses, too.
        pub const SHARED_NAMES: &[SharedName] =
            &[$(SharedName { name: stringify!($name), value: $value, doc: $doc },)*];
    };
}

shared_names! {
    ENV_SESSION = "JFATHOM_SESSION",
        "Environment variable: the session directory, of mode 0700, of the user who runs the \
         JVM. Without it the runtime stays inert.";
    ENV_CLOCK = "JFATHOM_CLOCK",
        "Environment variable: the clock, CLOCK_NAME_NANO or CLOCK_NAME_TSC. Without it the runtime \
         chooses.";
    ENV_RING_BYTES = "JFATHOM_RING_BYTES",
        "Environment variable: data bytes of each new ring, a power of two from 512 to \
         1073741824. 1 MiB without it.";
    ENV_CALIBRATE = "JFATHOM_CALIBRATE",
        "Environment variable: when the runtime measures its probes: start, end, or both with \
         a comma.";
    ENV_METRICS = "JFATHOM_METRICS",
        "Environment variable: what is recorded beside calls and times, names with commas between \
         them: METRIC_ALLOC, METRIC_ALLOC_SELECTED, METRIC_CPU, METRIC_CAUGHT, METRIC_JFR_CLOCK, \
         METRIC_STACKS. Nothing without it.";
    ENV_IDS = "JFATHOM_IDS",
        "Environment variable: END or END,roots, where END is the id after the last one. For \
         runtimes that see no manifest.";
    ENV_SAMPLE_ROOTS = "JFATHOM_SAMPLE_ROOTS",
        "Environment variable: root sampling. N records one in N calls of roots, -N about N calls \
         a second. Without it all are recorded.";
    CLOCK_NAME_NANO = "nano",
        "The clock System.nanoTime.";
    CLOCK_NAME_TSC = "tsc",
        "The clock of the time stamp counter.";
    METRIC_ALLOC = "alloc",
        "The metric of bytes that threads allocate on the Java heap.";
    METRIC_ALLOC_SELECTED = "alloc-selected",
        "METRIC_ALLOC, read by the methods in the reading table alone, by roots and tasks.";
    METRIC_CAUGHT = "caught",
        "The metric of caught exceptions by class.";
    METRIC_JFR_CLOCK = "jfr-clock",
        "What a session asks for whose JVM runs JFR: events JFR_CLOCK_EVENT and \
         JFR_CHUNK_CLOCK_EVENT.";
    JFR_CLOCK_EVENT = "jfathom.Clock",
        "The JFR event with the session's clock. Its fields are longs.";
    JFR_CHUNK_CLOCK_EVENT = "jfathom.ChunkClock",
        "The same at the begin and end of JFR's chunks, with the same fields.";
    JFR_CLOCK_NUMBER = "number",
        "Field of JFR_CLOCK_EVENT: how many of both types were written before in the session.";
    JFR_CLOCK_BEFORE = "before",
        "Field of JFR_CLOCK_EVENT: the session's clock just before the event's start.";
    JFR_CLOCK_AFTER = "after",
        "Field of JFR_CLOCK_EVENT: the session's clock just after the event's start.";
    METRIC_STACKS = "stacks",
        "What a session asks for whose JVM runs JFR and whose modes have walks of stacks: events \
         JFR_STACK_EVENT.";
    JFR_STACK_EVENT = "jfathom.Stack",
        "The JFR event with the stack of a call. Its fields are longs.";
    JFR_STACK_METHOD = "method",
        "Field of JFR_STACK_EVENT: the id of the called method.";
    JFR_STACK_NUMBER = "number",
        "Field of JFR_STACK_EVENT: how many walks the method was due so far in the JVM, with this \
         one.";
    METRIC_CPU = "cpu",
        "The metric of when threads run, by their own CPU clocks.";
    FILE_PREFIX = "jvm-",
        "The files of a JVM are called FILE_PREFIX, pid, '-', start time in epoch \
         milliseconds, and a suffix.";
    FILE_SUFFIX = ".jft",
        "The session file.";
    FAILURE_SUFFIX = ".failed",
        "In place of FILE_SUFFIX: why the JVM has no session.";
    OVERFLOW_SUFFIX = ".jfo",
        "In place of FILE_SUFFIX: the overflow file, in the overflow directory.";
    OVERFLOW_FILE = "overflow",
        "The file in the session directory that names the overflow directory, as the JVM sees \
         it.";
    CLOCK_LINK = "clock",
        "The symbolic link in the session directory that leads to the clock library, as the JVM \
         sees it.";
    CLOCK_LIBRARY_PREFIX = "clock-",
        "A clock library is called CLOCK_LIBRARY_PREFIX, its CRC-32 in hexadecimal digits without \
         leading zeros, CLOCK_LIBRARY_SUFFIX.";
    CLOCK_LIBRARY_SUFFIX = ".so",
        "The end of a clock library's name.";
    ROOTS_ONLY_FILE = "roots-only",
        "Beside MODES_FILE: only the roots are timed, from the session's beginning to its end.";
    STACK_INTERVALS_FILE = "stack-intervals",
        "Beside MODES_FILE: what the JVM copies to HEADER_STACK_INTERVALS, fewer bytes or as many.";
    READING_FILE = "reading",
        "Beside MODES_FILE: what the JVM copies to the reading table, fewer bytes or as many.";
    MODES_FILE = "modes",
        "The file in the session directory with the initial mode of each method, one byte \
         (MODE_*) per id from 0.";
}

/// Environment variable: the session directory of a live recording. The collector finds the
/// processes of its command by it; no JVM reads it.
pub const ENV_LIVE_SESSION: &str = "JFATHOM_LIVE_SESSION";

/// In place of [`FILE_SUFFIX`]: the methods of a live session.
pub const METHODS_SUFFIX: &str = ".methods";
/// In place of [`FILE_SUFFIX`]: the stacks that the agent has sampled.
pub const SAMPLES_SUFFIX: &str = ".samples";
/// In place of [`FILE_SUFFIX`]: the collector's last checkpoint.
pub const CHECKPOINT_SUFFIX: &str = ".jfc";
/// In place of [`FILE_SUFFIX`]: the profile of a JVM that has ended.
pub const PROFILE_SUFFIX: &str = ".jfp";

/// The file in the session directory with what the recording notes for those who read it: its
/// command, labels, metrics and rules, and the profile's path.
pub const SESSION_NOTES_FILE: &str = "session.json";
/// The file in the session directory with agent options that are too long for the attach protocol.
pub const OPTIONS_FILE: &str = "options";
