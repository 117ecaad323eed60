//! Environment variables that steer the runtime in the recorded JVM.

/// The session directory: 0700, owned by the user who runs the JVM. Without it the runtime stays
/// inert.
pub const SESSION: &str = "JFATHOM_SESSION";
/// `auto` (default), `nano` or `tsc`.
pub const CLOCK: &str = "JFATHOM_CLOCK";
/// Data bytes of each thread's ring, a power of two from 512 to 2³⁰; 1 MiB by default.
pub const RING_BYTES: &str = "JFATHOM_RING_BYTES";
/// When the runtime measures its own probes: `start`, `end` or `start,end`; never without it.
pub const CALIBRATE: &str = "JFATHOM_CALIBRATE";
/// Method ids that the session must have room for where the runtime cannot see the manifests of the
/// rewritten jars (isolated class loaders): `END` or `END,roots`, where `END` is the id after the
/// last one.
pub const IDS: &str = "JFATHOM_IDS";
