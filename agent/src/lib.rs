//! The library that a running JVM loads: says which methods of its classes are to be instrumented, and instruments them.
//!
//! [`Engine`] is told what happens in the JVM and says what is to be done; it knows no JVM.
#![deny(unsafe_code)]

mod engine;
mod options;

pub use engine::{ClassName, Engine, IdTable, Load, Loaded, Origin, Planned, Rewrote, Step};
pub use options::{Calibrate, LiveScheme, Options, OptionsError};
