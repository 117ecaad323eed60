//! When a call was entered that has not ended.

use serde::{Deserialize, Serialize};

/// When a call was entered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Open {
    /// The thread's time without excluded time; [`Open::UNKNOWN`] if records are missing since.
    pub time: u64,
    /// The thread's records before it.
    pub records: u64,
    /// Whether calls may have been counted in it. They may be open, too.
    pub has_counted: bool,
}

impl Open {
    pub const UNKNOWN: u64 = u64::MAX;

    /// The entry of a call that was not seen.
    pub const NEVER: Self = Self { time: Self::UNKNOWN, records: 0, has_counted: true };
}
