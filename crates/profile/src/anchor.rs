//! Roots that were measured with probes on them alone.

use serde::{Deserialize, Serialize};

/// Roots-only runs, interleaved with the full runs: their time is the
/// program's own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Roots-only runs.
    pub roots_only_runs: u32,
    /// Median of the time in the roots over those runs, in nanoseconds.
    pub roots_only_nanos: f64,
    /// Standard deviation of one such run.
    pub roots_only_deviation: f64,
    /// Full runs.
    pub full_runs: u32,
    /// What a timed call costs beyond its calibration, in nanoseconds: the anchor's correction
    /// shared out among them.
    pub residual_nanos: f64,
    /// That correction's part of the corrected time in the roots before it: 0.1 is ten per cent.
    pub correction_share: f64,
}

impl Anchor {
    pub(crate) fn is_valid(&self) -> bool {
        let numbers = [
            self.roots_only_nanos,
            self.roots_only_deviation,
            self.residual_nanos,
            self.correction_share,
        ];
        numbers.iter().all(|number| number.is_finite()) && self.roots_only_deviation >= 0.0
    }
}
