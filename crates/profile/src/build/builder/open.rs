//! When a call was entered that has not ended.

use serde::{Deserialize, Serialize};

use crate::build::tree_builder::NONE;

/// When a call was entered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Open {
    /// The thread's time without excluded time; [`Open::UNKNOWN`] if records are missing since.
    pub time: u64,
    /// The thread's records before it.
    pub records: u64,
    /// Whether calls may have been counted in it. They may be open, too.
    pub has_counted: bool,
    /// Whether counted records were written at its entry, and will be at its exit.
    pub is_flushed: bool,
    /// The node of the innermost flushed call while it is on top of the stack: mostly its own.
    /// Counted records belong to that one.
    pub flush_node: u32,
}

impl Open {
    pub const UNKNOWN: u64 = u64::MAX;

    /// The entry of a call that was not seen.
    pub const NEVER: Self = Self {
        time: Self::UNKNOWN,
        records: 0,
        has_counted: true,
        is_flushed: true,
        flush_node: NONE,
    };
}
