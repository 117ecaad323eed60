//! Modes of methods.

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
