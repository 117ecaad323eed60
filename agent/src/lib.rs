//! The library that a running JVM loads: says which methods of its classes are to be instrumented,
//! and instruments them.
//!
//! [`Engine`] is told what happens in the JVM and says what is to be done; it knows no JVM.
#![deny(unsafe_code)]

mod agent;
mod agent_thread;
mod classes;
mod collector_process;
mod engine;
mod events;
mod ffi;
mod first_calls;
mod load;
mod lock;
mod options;
mod preconditions;
mod program;
mod restore;
mod retransform;
mod runtime;
mod safepoint_time;
mod session;
mod session_paths;
mod start;

pub use engine::{
    Actions, ClassName, Engine, IdTable, LoaderKind, LoadingClass, PreloadedClass, RewrittenClass,
    VersionedPlan,
};
pub use options::{CalibrationPhases, LiveScheme, Options, OptionsError};
