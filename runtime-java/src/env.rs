//! Environment variables that the runtime reads in the recorded JVM.

/// The session directory: 0700, owned by the user who runs the JVM. Without it the runtime stays
/// inert.
pub const SESSION: &str = "JFATHOM_SESSION";
/// `auto` (default), `nano` or `tsc`.
pub const CLOCK: &str = "JFATHOM_CLOCK";
/// Data bytes of each thread's ring, a power of two from 512 to 2³⁰; 1 MiB by default.
pub const RING_BYTES: &str = "JFATHOM_RING_BYTES";
/// When the runtime calibrates its probes: `start`, `end` or `start,end`; never if unset.
pub const CALIBRATE: &str = "JFATHOM_CALIBRATE";
/// Id span for runtimes that cannot see the manifests of the rewritten jars (isolated class
/// loaders): `END` or `END,roots`, where `END` is the id after the last one.
pub const IDS: &str = "JFATHOM_IDS";
