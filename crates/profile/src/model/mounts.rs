//! Whether parked times were recorded.

use serde::{Deserialize, Serialize};

/// Whether it was seen when virtual threads were parked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mounts {
    /// Nobody asked for it: there are no parked times.
    #[default]
    Unasked,
    /// In the whole recording: what is no parked time is running time.
    Seen,
    /// Not in all of it: parked times are too short.
    Partly,
}

impl Mounts {
    /// That of two recordings together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Partly }
    }
}
