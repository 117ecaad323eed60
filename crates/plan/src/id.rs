//! Method ids and ranges of them.

use crate::Problem;
use serde::{Deserialize, Serialize};

/// A dense number of 22 bits that a probe passes. It names a method within one recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct MethodId(u32);

impl MethodId {
    /// Bits of an id in a record.
    pub const BITS: u32 = 22;
    /// The largest id.
    pub const MAX: Self = Self((1 << Self::BITS) - 1);

    /// The id `value`. None if it has more than 22 bits.
    pub const fn new(value: u32) -> Option<Self> {
        if value <= Self::MAX.0 { Some(Self(value)) } else { None }
    }

    /// The id as a number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for MethodId {
    type Error = Problem;

    fn try_from(value: u32) -> Result<Self, Problem> {
        Self::new(value)
            .ok_or_else(|| format!("method id {value} has more than {} bits", Self::BITS).into())
    }
}

impl From<MethodId> for u32 {
    fn from(id: MethodId) -> Self {
        id.0
    }
}

impl std::fmt::Display for MethodId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The ids `start .. start + len`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IdRange {
    /// The first id.
    pub start: u32,
    /// Number of ids.
    pub len: u32,
}

impl IdRange {
    /// The id after the last one.
    pub const fn end(self) -> u32 {
        self.start.saturating_add(self.len)
    }

    /// Whether the range has no id.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Whether the range has this id.
    pub const fn contains(self, id: MethodId) -> bool {
        id.0 >= self.start && id.0 < self.end()
    }

    /// Whether both ranges have a common id.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end() && other.start < self.end()
    }
}

impl std::fmt::Display for IdRange {
    /// `0..12`: from the first id to the one after the last.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end())
    }
}
