//! The result of a gate.

use super::limits::Limits;
use super::verdict::{ColumnVerdict, RatioVerdict, Verdict};
#[cfg(doc)]
use crate::Diff;

/// Result of a gate.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The limits that were checked.
    pub limits: Limits,
    /// Methods whose calls are within the limit.
    pub calls_within: usize,
    /// Methods whose calls exceed the limit, the largest growth first.
    pub calls_exceeded: Vec<CallsVerdict>,
    /// Methods whose code is known to differ or that are on one side only, as indices into
    /// [`Diff::methods`].
    pub edited: Vec<usize>,
    /// Methods whose calls vary between runs, as indices into [`Diff::methods`].
    pub varying: Vec<usize>,
    /// The roots, if time has a limit.
    pub roots: Vec<RootVerdict>,
    /// The columns of the roots that have a limit, column by column.
    pub columns: Vec<ColumnVerdict>,
    /// The limits on ratios that could be checked.
    pub ratios: Vec<RatioVerdict>,
    /// The significance level of this gate: [`crate::ALPHA`] or
    /// [`crate::ALPHA_INTERLEAVED`].
    pub alpha: f64,
    /// Limits that these profiles cannot be checked against, one sentence each.
    pub refused: Vec<String>,
    /// Further notes, one sentence each.
    pub notes: Vec<String>,
}

/// Calls that exceed the limit.
#[derive(Clone, Debug, PartialEq)]
pub struct CallsVerdict {
    /// The method, or several ambiguous ones, as indices into [`Diff::methods`].
    pub methods: Vec<usize>,
    /// Calls in the baseline.
    pub base: u64,
    /// Calls in the candidate.
    pub new: u64,
}

/// A root and its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct RootVerdict {
    /// Index in [`Diff::roots`].
    pub root: usize,
    /// Relative growth: 0.1 is ten per cent.
    pub growth: f64,
    /// Growth by the self times of the methods that changed alone. None if none changed, or if
    /// several roots have a limit: it is not known then which of them the methods belong to.
    pub changed_growth: Option<f64>,
    /// P-value of the increase, adjusted for the number of roots. None within the limit.
    pub p_value: Option<f64>,
    /// Whether the test is the exact one.
    pub exact: bool,
    /// The verdict.
    pub verdict: Verdict,
}

impl Gate {
    /// Whether a limit is exceeded, or in doubt where the limits are strict.
    pub fn is_failed(&self) -> bool {
        !self.calls_exceeded.is_empty() || self.verdicts().any(|verdict| self.fails(verdict))
    }

    /// Whether this verdict fails the gate.
    pub fn fails(&self, verdict: Verdict) -> bool {
        verdict == Verdict::Exceeded || (self.limits.strict && verdict == Verdict::Inconclusive)
    }

    /// Whether a root or a ratio is beyond its limit, but maybe by chance.
    pub fn is_in_doubt(&self) -> bool {
        self.verdicts().any(|verdict| verdict == Verdict::Inconclusive)
    }

    fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        let roots = self.roots.iter().map(|root| root.verdict);
        let columns = self.columns.iter().map(|root| root.verdict);
        roots.chain(columns).chain(self.ratios.iter().map(|ratio| ratio.verdict))
    }
}
