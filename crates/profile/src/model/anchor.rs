//! Anchors: measured root totals.

use serde::{Deserialize, Serialize};

/// The root total of roots-only runs that were interleaved with the full runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Number of roots-only runs.
    pub roots_only_runs: u32,
    /// Median of the root total over these runs, in ns.
    pub roots_only_nanos: f64,
    /// Standard deviation of the root total of one such run, in ns.
    pub roots_only_deviation: f64,
    /// Number of full runs.
    pub full_runs: u32,
    /// Residual overhead in ns per timed call, derived from the anchor.
    pub residual_nanos: f64,
    /// The anchor's correction divided by the corrected root total before it.
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
