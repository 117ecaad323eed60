//! Verdicts of a gate.

use crate::Column;

/// A limit on a ratio and the candidate's calls.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioVerdict {
    /// Index in [`crate::Limits::ratios`].
    pub limit: usize,
    /// Calls of the methods limited, in the run with the largest ratio.
    pub of: u64,
    /// Calls of the methods that they are held against, in that run; not zero.
    pub per: u64,
    /// Whether the ratio is within its limit in all runs, beyond it in all (exceeded), or beyond it
    /// in some (inconclusive).
    pub verdict: Verdict,
}

impl RatioVerdict {
    /// The largest ratio of any run.
    pub fn ratio(&self) -> f64 {
        self.of as f64 / self.per as f64
    }
}

/// A column of a root and its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnVerdict {
    /// The column.
    pub column: &'static Column,
    /// Index in [`crate::Diff::roots`].
    pub root: usize,
    /// What is compared, in the column's unit, the baseline first: means of the lower halves of the
    /// runs; where a series keeps the sum alone, means of all runs.
    pub sides: [f64; 2],
    /// Relative growth: 0.1 is ten per cent. None if only the candidate has any.
    pub growth: Option<f64>,
    /// By how much the growth may be off for what is not known of the values, likewise.
    pub error: f64,
    /// P-value of the increase, adjusted for the number of roots. None where it did not decide.
    pub p_value: Option<f64>,
    /// Whether the test is the exact one; also where there is none.
    pub exact: bool,
    /// Within the limit; beyond it significantly and by more than the error (exceeded); neither can
    /// be told (inconclusive); or too small to count.
    pub verdict: Verdict,
}

/// A verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Not beyond the limit.
    Within,
    /// Beyond the limit. A root is significantly slower, a ratio is too high in all runs.
    Exceeded,
    /// Beyond the limit, but that may be chance: not significant, or not in all runs.
    Inconclusive,
    /// Too small a share of the time to count.
    Negligible,
}
