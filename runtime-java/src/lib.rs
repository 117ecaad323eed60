//! The injected Java runtime's Rust face: its compiled classes, the names by which it is steered,
//! and the JVM flags that a placement needs.
//!
//! The Java sources are in `shared/`, `aot/` and `live/`; the build script compiles them with the JDK that it finds and
//! embeds the result. What rewritten code calls is named in [`jfathom_plan::probe`].
#![forbid(unsafe_code)]

mod embedded;
pub mod env;
mod flags;
pub mod live;

pub use embedded::{
    CLASSES, LAYOUT_HASH, LIVE_BUILD, LIVE_CLASSES, TOOL_CLASSES, TOOL_IDLE, TOOL_MAIN,
};
pub use flags::{Flags, jvm_flags};
