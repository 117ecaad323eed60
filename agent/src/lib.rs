//! The library that a running JVM loads: says which methods of its classes are to be instrumented,
//! and instruments them.
//!
//! [`Engine`] is told what happens in the JVM and says what is to be done; it knows no JVM.
#![deny(unsafe_code)]

mod classes;
mod engine;
mod ffi;
mod host;
mod jvm;
mod live;
mod lock;
mod session_paths;

ffi::entry_points!(host::events::Events);

pub use engine::{
    Actions, ClassName, Engine, IdTable, LoaderKind, LoadingClass, PreloadedClass, RewrittenClass,
    VersionedPlan,
};
pub use jfathom_session::AgentOptions as Options;
