//! Why no session begins.

use super::agent::DefineError;
use super::collector_process::CollectorError;
use super::preconditions::Refusal;
use crate::classes::load_hook::LoadHookError;
use crate::ffi::{EnvironmentError, JvmtiError};
use crate::jvm::program::ProgramError;
use crate::jvm::runtime::RuntimeError;
use jfathom_session::OptionsError;

/// Why no session begins. The program runs on without one.
#[derive(Debug)]
pub enum StartError {
    Options(OptionsError),
    /// The JVM or the program cannot be instrumented as it is.
    Refused(Refusal),
    /// The JVM lacks what a session needs.
    Environment(EnvironmentError),
    /// The JVM switches no event on or off.
    Events(JvmtiError),
    /// The JVM hands out no class files.
    LoadHook(LoadHookError),
    /// The JVM does not list its classes.
    LoadedClasses(JvmtiError),
    /// The JVM is past its live phase.
    JvmEnds,
    Define(DefineError),
    Program(ProgramError),
    /// The session directory is not usable, or a file in it cannot be made.
    Files(String),
    Runtime(RuntimeError),
    Collector(CollectorError),
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Options(error) => error.fmt(f),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Environment(error) => error.fmt(f),
            Self::Events(error) => write!(f, "the JVM gives no events: {error}"),
            Self::LoadHook(error) => error.fmt(f),
            Self::LoadedClasses(error) => write!(f, "the JVM does not list its classes: {error}"),
            Self::JvmEnds => f.write_str("the JVM is about to end"),
            Self::Define(error) => error.fmt(f),
            Self::Program(error) => error.fmt(f),
            Self::Files(error) => f.write_str(error),
            Self::Runtime(error) => error.fmt(f),
            Self::Collector(error) => error.fmt(f),
        }
    }
}

/// Conversions for `?`.
macro_rules! from {
    ($($variant:ident($error:ty)),* $(,)?) => {
        $(
            impl From<$error> for StartError {
                fn from(error: $error) -> Self {
                    Self::$variant(error)
                }
            }
        )*
    };
}

from!(
    Options(OptionsError),
    Refused(Refusal),
    Environment(EnvironmentError),
    LoadHook(LoadHookError),
    Define(DefineError),
    Program(ProgramError),
    Runtime(RuntimeError),
    Collector(CollectorError),
);
