//! The gate for the growth of calls.

use super::{Growth, Trend};
use crate::Verdict;
use jfathom_plan::Problem;

/// What rounding may add to an exponent that is exact.
const ROUNDING: f64 = 1e-9;

/// The largest exponent that is allowed: finite and not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowthLimit(f64);

impl GrowthLimit {
    /// The exponent.
    pub fn exponent(self) -> f64 {
        self.0
    }
}

impl std::fmt::Display for GrowthLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for GrowthLimit {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let exponent = text.trim().parse::<f64>().ok();
        exponent.filter(|exponent| exponent.is_finite() && *exponent >= 0.0).map(Self).ok_or_else(
            || {
                format!("‘{text}’ is no exponent: a number from 0 is wanted (1.2 allows n^1.2)")
                    .into()
            },
        )
    }
}

/// Methods held against a limit on their growth.
#[derive(Clone, Debug)]
pub struct GrowthGate {
    /// The limit.
    pub limit: GrowthLimit,
    /// Whether an inconclusive verdict fails the gate.
    pub strict: bool,
    /// Methods within the limit.
    pub within: usize,
    /// The others, the fastest growth first; inconclusive ones come last.
    pub beyond: Vec<GrowthVerdict>,
    /// Remarks for the user, one sentence each.
    pub notes: Vec<String>,
}

/// A method that is not within the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowthVerdict {
    /// Index in [`Growth::methods`].
    pub method: usize,
    /// Exceeded; or inconclusive, if the method is called from some size on.
    pub verdict: Verdict,
}

impl GrowthGate {
    /// Whether a verdict fails the gate.
    pub fn fails(&self, verdict: Verdict) -> bool {
        verdict == Verdict::Exceeded || self.strict && verdict == Verdict::Inconclusive
    }

    /// Whether the gate has failed.
    pub fn is_failed(&self) -> bool {
        self.beyond.iter().any(|found| self.fails(found.verdict))
    }
}

/// Holds the methods that `select` accepts, by their index, against a limit. None if it accepts
/// none.
pub fn gate_growth(
    growth: &Growth,
    limit: GrowthLimit,
    strict: bool,
    select: impl Fn(usize) -> bool,
) -> Option<GrowthGate> {
    let mut gate = GrowthGate { limit, strict, within: 0, beyond: Vec::new(), notes: Vec::new() };
    let selected: Vec<usize> = (0..growth.methods.len()).filter(|at| select(*at)).collect();
    for method in selected.iter().copied() {
        let found = &growth.methods[method];
        let verdict = match found.trend {
            Trend::Power(fit) if fit.exponent > limit.0 + ROUNDING => Verdict::Exceeded,
            Trend::Power(_) => Verdict::Within,
            // Calls that end with the size do not grow.
            Trend::Partial if found.calls.last() == Some(&0) => Verdict::Within,
            Trend::Partial => Verdict::Inconclusive,
        };
        match verdict {
            Verdict::Within => gate.within += 1,
            verdict => gate.beyond.push(GrowthVerdict { method, verdict }),
        }
    }
    let exponent = |found: &GrowthVerdict| match growth.methods[found.method].trend {
        Trend::Power(fit) => fit.exponent,
        Trend::Partial => f64::NEG_INFINITY,
    };
    gate.beyond.sort_by(|a, b| exponent(b).total_cmp(&exponent(a)));
    (!selected.is_empty()).then_some(gate)
}
