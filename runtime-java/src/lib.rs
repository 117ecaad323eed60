//! The Rust side of the Java runtime: its compiled classes, the methods that the agent calls, and
//! the JVM flags that a placement needs.
//!
//! The Java sources are in `shared/`, `aot/` and `live/`. The build script compiles them with the
//! JDK that it finds, and embeds the result. Rewritten code calls what [`jfathom_plan::probe`]
//! names.
//!
//! The folders of `shared/` are rungs of a ladder: a class uses its own rung and those below.
//! Nothing on the hot path allocates, locks, throws or logs. A probe leaves the program as it is:
//! exceptions, interrupts and the threads' `LockSupport` permits stay as they were. Where nobody
//! can record a rewritten program any more, compilers leave its probes out; live, a probe without a
//! session is one load and a branch.
#![forbid(unsafe_code)]

mod embedded;
mod flags;
pub mod live;

pub use embedded::{
    CLASSES, LAYOUT_HASH, LIVE_BUILD, LIVE_CLASSES, TOOL_CLASSES, TOOL_IDLE, TOOL_MAIN,
};
pub use flags::{CARRIER_PACKAGES, Flags, jvm_flags};
