//! The options of a recording in slices.

use crate::run::slice_pattern::SlicePattern;
use std::time::Duration;

/// How a recording is written in slices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceOptions {
    /// How long a slice is.
    pub every: Duration,
    /// The names of the profiles.
    pub pattern: SlicePattern,
    /// The bytes of all profiles of the recording, beyond which the oldest are removed; none means
    /// that all stay.
    pub max_size: Option<u64>,
}
