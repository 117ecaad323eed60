//! The runtime of live sessions as the agent meets it: in package `java.lang`, defined by the boot
//! loader.
//!
//! [`crate::LIVE_CLASSES`] are defined in their order. The static methods here are called over JNI;
//! none throws. The native ones are registered with the class that JNI's `DefineClass` gave, before
//! anything that initialises it, such as `FindClass` or `GetStaticMethodID`: its initialiser calls
//! `base`.

/// The class that agent and runtime share.
pub const CLASS: &str = "java/lang/JfathomAgentInterface";
/// Its native methods, by name and descriptor; all static.
///
/// `base` gives the address of the range in which session files are mapped, always the same. `grow`
/// appends so many zeros to the session file, maps them at their offset in the range, and gives the
/// offset, or −1. `space` says how many bytes it may grow by; a registration for it may be left
/// out. `firstCall` comes back when the callees of the method are live. `reflected` gets a `Method`
/// or `Constructor`, `lookedUp` what a method handle is looked up by. `calledByNative` is met
/// within [`FROM_NATIVE`] alone. `tscCode` gives the address of a C function `() → u64` that reads
/// the time stamp counter, or 0; a registration for it may be left out, which makes the first
/// session with that clock some 20 ms slower.
pub const NATIVES: &[(&str, &str)] = &[
    ("base", "()J"),
    ("grow", "(J)J"),
    ("space", "()J"),
    ("firstCall", "(I)V"),
    ("reflected", "(Ljava/lang/Object;)V"),
    ("tscCode", "()J"),
    ("lookedUp", "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)V"),
    ("calledByNative", "()V"),
];
/// Opens a session whose file is there and empty: path, process id, start of the JVM in
/// milliseconds since the epoch, clock (`auto`, `nano`, `tsc`; null is `auto`), bytes of a ring (0:
/// the usual size), whether the probes are measured at the start and at the end, a notice for the
/// user or null (more than one: separated by line ends), and whether methods of the JDK
/// will have probes. Gives null, or a sentence that says why there is no session.
pub const START: (&str, &str) =
    ("start", "(Ljava/lang/String;JJLjava/lang/String;IZZLjava/lang/String;Z)Ljava/lang/String;");
/// May be called before the first [`START`], from any thread, with the same clock: on JDK 22 and
/// later the TSC takes some 80 ms of processor time to be set up, which can then run beside other
/// work. `START` waits for it.
pub const PREPARE: (&str, &str) = ("prepare", "(Ljava/lang/String;)V");
/// Ends it: from here on probes record nothing, but some may still be on their way.
pub const STOP: (&str, &str) = ("stop", "()V");
/// The JVM ends: says the last of the session, in which probes record until the process has ended.
pub const END: (&str, &str) = ("end", "()V");
/// Forgets it, when no thread is in the runtime any more.
pub const RESET: (&str, &str) = ("reset", "()V");
/// The current thread was held up by the agent for so many nanoseconds, those apart that it has
/// itself added to `HEADER_PAUSED`. Not for what happens within the native methods above, whose
/// time is measured in the runtime.
pub const PAUSED: (&str, &str) = ("paused", "(J)V");
/// Native code on the current thread is about to call a method through JNI, which the agent
/// remembers. Where the thread is inside a root, `calledByNative` is called, and the time that
/// takes is none of the program's. Gives whether it was, and came back.
pub const FROM_NATIVE: (&str, &str) = ("fromNative", "()Z");
/// What the classes were built from: [`crate::LIVE_BUILD`], if by this build.
pub const BUILD: (&str, &str) = ("build", "()J");
/// A static field of type String where the agent that has defined the classes keeps its name.
pub const AGENT: (&str, &str) = ("agent", "Ljava/lang/String;");
