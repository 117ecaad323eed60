//! Verdicts of a gate.

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

/// The allocated bytes of a root and their limit.
#[derive(Clone, Debug, PartialEq)]
pub struct AllocVerdict {
    /// Index in [`crate::Diff::roots`].
    pub root: usize,
    /// Bytes per run, the baseline first.
    pub bytes: [f64; 2],
    /// Within the limit, or exceeded.
    pub verdict: Verdict,
}

impl AllocVerdict {
    /// Relative growth: 0.1 is ten per cent. None if only the candidate has allocated anything.
    pub fn growth(&self) -> Option<f64> {
        match self.bytes {
            [base, new] if base > 0.0 => Some(new / base - 1.0),
            [_, new] => (new == 0.0).then_some(0.0),
        }
    }
}

/// The running time of a root and its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuVerdict {
    /// Index in [`crate::Diff::roots`].
    pub root: usize,
    /// Relative growth: 0.1 is ten per cent.
    pub growth: f64,
    /// By how much the growth may be off for what is not known of switches, likewise.
    pub error: f64,
    /// P-value of the increase, adjusted for the number of roots. None where it did not decide.
    pub p_value: Option<f64>,
    /// Whether the test is the exact one.
    pub exact: bool,
    /// Within the limit; beyond it significantly and by more than the error (exceeded); or neither
    /// can be told (inconclusive).
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
