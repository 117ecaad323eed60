//! When a method is demoted.

/// When a method is demoted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemotionRule {
    /// Its timed calls in the window that decides, at least.
    pub min_calls: u64,
    /// It is demoted if its corrected self time a call is not above this, in nanoseconds, times
    /// one and the timed calls that it makes a call: each of them may be wrong by so much.
    /// What an exception may cost that it catches (`Residual` of the calibration) is allowed for
    /// beside.
    pub max_self_nanos: f64,
    /// The timed calls that it makes a call, at most: a method with more of them gives the tree
    /// its shape, and its own probes are few beside those below.
    pub max_timed_callees: f64,
}

impl Default for DemotionRule {
    fn default() -> Self {
        Self { min_calls: 2_000, max_self_nanos: 17.0, max_timed_callees: 1.5 }
    }
}
