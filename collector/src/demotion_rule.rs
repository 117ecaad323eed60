//! The rule by which methods are demoted.

/// The rule by which methods are demoted: from timed to counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemotionRule {
    /// The least number of timed calls in the window that decides.
    pub min_calls: u64,
    /// The largest self time of a method that is demoted, in ns per call, times 1 + its timed
    /// callees per call: the time of each callee may be wrong by so much. The residual cost of
    /// exceptions that the method catches is subtracted first.
    pub max_self_nanos: f64,
    /// The largest number of timed callees per call of a method that is demoted. A method with more
    /// gives the tree its shape, and its own probes are few beside those of its callees.
    pub max_timed_callees: f64,
}

impl Default for DemotionRule {
    fn default() -> Self {
        Self { min_calls: 2_000, max_self_nanos: 17.0, max_timed_callees: 1.5 }
    }
}
