//! Verdicts of gates in JSON.

use jfathom_compare::Verdict;
use serde::Serialize;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Verdict"))]
#[serde(rename_all = "lowercase")]
pub(crate) enum VerdictName {
    Within,
    Exceeded,
    /// not significant, or not in all runs
    Inconclusive,
    /// under 1 % of the time
    Negligible,
}

impl From<Verdict> for VerdictName {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Within => Self::Within,
            Verdict::Exceeded => Self::Exceeded,
            Verdict::Inconclusive => Self::Inconclusive,
            Verdict::Negligible => Self::Negligible,
        }
    }
}
