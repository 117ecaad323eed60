//! A gate's findings and verdict, as all formats for other programs write them.

use super::{
    findings::{Finding, Rule, findings},
    gate::verdict,
};
use crate::number::counted;
use jfathom_compare::Gate;
use jfathom_views::Comparison;

/// A gate's result.
#[derive(Debug)]
pub struct Judged {
    /// The findings, the worst first.
    pub(crate) findings: Vec<Finding>,
    /// Methods that have no finding of their own, because they are within a limit: the limit's
    /// rule, and their number in words.
    pub(crate) within: Option<(Rule, String)>,
    /// Methods that were left out, in words.
    pub(crate) left_out: Option<(Rule, String)>,
    /// Limits that are not answered, and why.
    pub(crate) refused: Vec<String>,
    /// Remarks for the user, one sentence each.
    pub(crate) notes: Vec<String>,
    /// The verdict of the whole gate.
    pub(crate) verdict: &'static str,
    /// What was compared and counted, in Markdown.
    pub(crate) remarks: Vec<String>,
}

impl Judged {
    /// The result of a comparison.
    pub fn from_gate(compared: &Comparison<'_>, gate: &Gate) -> Self {
        let methods = |count: usize| counted(count as u64, "method", "methods");
        let within = (gate.limits.calls.is_some() && gate.calls_within > 0).then(|| {
            (Rule::Calls, format!("calls of {} within the limit", methods(gate.calls_within)))
        });
        let left_out = (!gate.varying.is_empty()).then(|| {
            let varying = methods(gate.varying.len());
            (Rule::Calls, format!("calls of {varying} that differ between equal runs"))
        });
        Self {
            findings: findings(compared, gate),
            within,
            left_out,
            refused: gate.refused.clone(),
            notes: gate.notes.clone(),
            verdict: verdict(gate),
            remarks: super::markdown::remarks(compared, gate),
        }
    }
}
