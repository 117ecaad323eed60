//! The interface between agent and live runtime, which the boot loader has in package `java.lang`.
//!
//! The agent defines [`crate::LIVE_CLASSES`] in their order. It calls the static methods here over
//! JNI; none throws. It registers the native ones with the class that JNI's `DefineClass` returned.
//! That comes before anything that initialises the class, such as `FindClass` or
//! `GetStaticMethodID`: the initialiser calls `base`.

/// The class that agent and runtime share.
pub const CLASS: &str = "java/lang/JfathomAgentInterface";
/// Its native methods, by name and descriptor; all static.
///
/// | method | contract |
/// |---|---|
/// | `base` | returns the address of the range in which session files are mapped, always the same |
/// | `grow` | appends so many zeros to the session file, maps them at their offset in the range, and returns the offset, or −1 |
/// | `space` | returns how many bytes the file may grow by; need not be registered |
/// | `firstCall` | returns when the callees of the method are instrumented |
/// | `reflected` | gets a `Method` or `Constructor` |
/// | `lookedUp` | gets class, name and `MethodType` by which a method handle is looked up |
/// | `parkedPlace` | returns the address of the word in which the agent adds up for how long the virtual thread was parked that this OS thread carries |
/// | `watchMounts` | sees when the current thread parks, a virtual one |
/// | `parkedSoFar` | returns for how many ticks a thread is parked that have no record |
/// | `vmSymbol` | returns the address of a variable of the JVM, by its place in `jfathom_clock::VM_SYMBOLS`, or 0; need not be registered |
/// | `threadCpuNanos` | returns the CPU time of the thread that calls it, in ns; need not be registered |
/// | `calledByNative` | is called only within [`FROM_NATIVE`] |
pub const NATIVES: &[(&str, &str)] = &[
    ("base", "()J"),
    ("grow", "(J)J"),
    ("space", "()J"),
    ("firstCall", "(I)V"),
    ("reflected", "(Ljava/lang/Object;)V"),
    ("lookedUp", "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)V"),
    ("parkedPlace", "()J"),
    ("watchMounts", "()V"),
    ("parkedSoFar", "(Ljava/lang/Thread;)J"),
    ("vmSymbol", "(I)J"),
    ("threadCpuNanos", "()J"),
    ("calledByNative", "()V"),
];
/// The class of the clock, and its native method, static: it returns the processor's counter in
/// ticks. Registered like [`NATIVES`]. Without it the first session with that clock takes 0.3 s
/// more on JDK 22 and later, and older JVMs have no such clock.
pub const TSC_CLASS: &str = "java/lang/JfathomTscLibrary";
/// See [`TSC_CLASS`].
pub const TSC_READ: (&str, &str) = ("read", "()J");
/// Opens a session in an empty file. Returns null, or a sentence that says why there is no session.
/// The parameters are:
///
/// - path of the file, process id, start of the JVM in milliseconds since the epoch;
/// - clock: `auto`, `nano`, `tsc`, or null for `auto`;
/// - size of a ring in bytes, or 0 for the usual one;
/// - root sampling: one in so many calls of roots; below zero, about so many a second; 0 for all;
/// - whether the probes are calibrated at the start, and at the end;
/// - what is recorded beside calls and times, names with commas between them, or null;
/// - notices for the user, separated by line ends, or null;
/// - whether methods of the JDK will have probes.
pub const START: (&str, &str) = (
    "start",
    "(Ljava/lang/String;JJLjava/lang/String;IIZZLjava/lang/String;Ljava/lang/String;Z)Ljava/lang/String;",
);
/// Ends the session: from here on probes record nothing, but some may still be writing.
pub const STOP: (&str, &str) = ("stop", "()V");
/// The JVM ends: writes the end of the session. Probes record until the process has ended.
pub const END: (&str, &str) = ("end", "()V");
/// Whether a virtual thread is in the runtime where it may wait: JVMTI does not show its frames.
pub const BUSY: (&str, &str) = ("isBusy", "()Z");
/// Forgets the session. No thread may be in the runtime.
pub const RESET: (&str, &str) = ("reset", "()V");
/// The agent has held up the current thread for so many nanoseconds, without those that it has
/// itself added to `HEADER_PAUSED`. Not for the time of the native methods above, which the runtime
/// measures.
pub const PAUSED: (&str, &str) = ("paused", "(J)V");
/// Native code on the current thread is about to call a method through JNI, which the agent
/// remembers. If the thread is inside a root, `calledByNative` is called, and its time is excluded.
/// Returns whether it was called.
pub const FROM_NATIVE: (&str, &str) = ("fromNative", "()Z");
/// Hash of the sources of the classes: [`crate::LIVE_BUILD`], if they are of this build.
pub const BUILD: (&str, &str) = ("build", "()J");
/// A static field of type String: the content hash of the agent that has defined the classes.
pub const AGENT: (&str, &str) = ("agent", "Ljava/lang/String;");
