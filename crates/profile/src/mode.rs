//! How the calls of a method are recorded, and when that changed.

use serde::{Deserialize, Serialize};

/// How the calls of a method are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// Each call with its times.
    #[default]
    Time,
    /// Calls are only counted.
    Count,
    /// Not at all.
    Off,
}

impl Mode {
    /// The mode of a byte of the session file's mode table (`trace::layout::MODE_*`); unknown ones
    /// record nothing.
    pub fn of_byte(byte: u8) -> Self {
        match byte {
            0 => Self::Time,
            1 => Self::Count,
            _ => Self::Off,
        }
    }
}

/// A method's change from timed to counted while the program ran.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Demotion {
    /// Timed calls that the collector had seen when it decided.
    pub calls: u64,
    /// Milliseconds since the JVM's start.
    pub millis: u64,
    /// Its corrected self time a call at that time, in nanoseconds; negative where the correction
    /// took out more than there was.
    pub self_nanos: f64,
}

/// The calls of a method that were counted on a thread, without times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadCount {
    /// The thread.
    pub thread: crate::ThreadIx,
    /// The method.
    pub method: crate::MethodIx,
    /// Its counted calls there.
    pub calls: u64,
}
