//! Modes of methods, demotions, and counted calls by thread.

use serde::{Deserialize, Serialize};

/// How the calls of a method are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// Each call is timed.
    #[default]
    Time,
    /// Calls are only counted.
    Count,
    /// Calls are not recorded.
    Off,
}

impl Mode {
    /// The mode for a byte of the session file's mode table (`trace::layout::MODE_*`). An unknown
    /// byte means [`Mode::Off`].
    pub fn from_byte(byte: u8) -> Self {
        match byte {
            0 => Self::Time,
            1 => Self::Count,
            _ => Self::Off,
        }
    }
}

/// The demotion of a method while the program ran.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Demotion {
    /// Timed calls that the collector had seen by then.
    pub calls: u64,
    /// Milliseconds since the JVM's start.
    pub millis: u64,
    /// Corrected self time in ns per call by then. Negative if the correction exceeds the measured
    /// time.
    pub self_nanos: f64,
}
