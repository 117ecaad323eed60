//! The JVMTI library that a running JVM loads: it plans which methods get probes, and instruments
//! their classes.
//!
//! Folders from the bottom up, each importing only those before it: `ffi` binds the JVM, `engine`
//! plans and knows no JVM, `jvm` holds what there is once in the JVM's life, `live` is the state of
//! a session, `classes` changes the JVM's classes, `host` begins and ends sessions and handles the
//! JVM's calls. `ffi` calls up through the trait [`ffi::Handler`].
//!
//! No Rust panic unwinds into the JVM. No lock is held while the JVM loads, links or retransforms.
//! After a failure a class is unchanged, and the failure is counted. Before Java 17, `host` also
//! starts JFR.
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
