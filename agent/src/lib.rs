//! The library that a running JVM loads: says which methods of its classes are to be instrumented, and instruments them.
//!
//! [`Engine`] is told what happens in the JVM and says what is to be done; it knows no JVM.
#![deny(unsafe_code)]

mod agent;
mod calls;
mod classes;
mod engine;
mod events;
mod ffi;
mod load;
mod lock;
mod options;
mod pauses;
mod place;
mod program;
mod recorder;
mod redefine;
mod refuse;
mod restore;
mod runtime;
mod session;
mod start;
mod watch;

pub use engine::{ClassName, Engine, IdTable, Load, Loaded, Origin, Planned, Rewrote, Step};
pub use options::{Calibrate, LiveScheme, Options, OptionsError};
