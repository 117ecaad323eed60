//! When a call was entered that has not ended.

use serde::{Deserialize, Serialize};

/// When a call was entered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Open {
    /// The thread's time without excluded time; [`Open::UNKNOWN`] if records are missing since.
    pub time: u64,
    /// The thread's records before it.
    pub records: u64,
}

impl Open {
    pub const UNKNOWN: u64 = u64::MAX;

    /// The entry of a call that was not seen.
    pub const NEVER: Self = Self { time: Self::UNKNOWN, records: 0 };
}
