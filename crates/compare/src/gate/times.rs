//! The gate for times of roots.

use jfathom_statistics::holm;

use super::outcome::{Gate, RootVerdict};
use super::run_test::{NOT_INTERLEAVED, RunTest, inexact_note, single_runs};
use super::verdict::Verdict;
use crate::diff::{Diff, MethodDiff, RootDiff};

/// Roots with a smaller share of the time on both sides do not count.
const NEGLIGIBLE_SHARE: f64 = 0.01;

/// Checks the times of the selected roots.
pub(super) fn check(
    gate: &mut Gate,
    diff: &Diff,
    limit: f64,
    selected: &[bool],
    interleaved: bool,
) {
    if let Some(who) = single_runs(diff.runs) {
        gate.refused.push(format!(
            "time: {who} one run, which has no spread; record both with --runs 10, or put runs together with `jfathom merge --as series`"
        ));
        return;
    }
    let on_both = |root: &RootDiff| root.nanos.iter().all(|runs| !runs.is_empty());
    let all = || diff.roots.iter().enumerate().filter(|(_, root)| on_both(root));
    let roots: Vec<(usize, &RootDiff)> = all().filter(|(_, root)| selected[root.method]).collect();
    if roots.is_empty() {
        gate.refused.push(match all().count() {
            0 => "time: no root is in both profiles; name roots with `rewrite --root`".to_owned(),
            left_out => format!("time: none of the roots is selected (--include), of which both profiles have {left_out}"),
        });
        return;
    }
    let decide: Vec<&(usize, &RootDiff)> =
        roots.iter().filter(|(_, root)| root.share >= NEGLIGIBLE_SHARE).collect();
    let alpha = gate.alpha;
    let run_test = RunTest::new(diff.runs, decide.len(), alpha, interleaved);
    let exact = run_test.exact;
    let is_changed = diff.methods.iter().any(MethodDiff::is_changed);
    let by_changed = is_changed && decide.len() == 1;
    // A root within its limit needs no test, but counts in the number of roots.
    let test = |growth: Option<f64>, runs: &[Vec<f64>; 2]| match growth {
        Some(growth) if growth <= limit => 1.0,
        _ => run_test.p_value(runs),
    };
    let changed_growth =
        |root: &RootDiff| root.growth_by(&diff.changed_nanos).filter(|_| by_changed);
    let either = |root: &RootDiff| {
        let whole = test(root.growth(), &root.nanos);
        match changed_growth(root) {
            Some(growth) => (2.0 * whole.min(test(Some(growth), &diff.changed_nanos))).min(1.0),
            None => whole,
        }
    };
    let mut p_values: Vec<f64> = decide.iter().map(|(_, root)| either(root)).collect();
    holm(&mut p_values);
    let mut p_values = p_values.into_iter();
    for (at, root) in roots {
        let is_negligible = root.share < NEGLIGIBLE_SHARE;
        let p_value = if is_negligible { None } else { p_values.next() };
        let Some(growth) = root.growth() else {
            gate.refused.push("time: a root has no time in the base to compare with".to_owned());
            continue;
        };
        let changed_growth = changed_growth(root);
        let is_within = growth <= limit && changed_growth.is_none_or(|growth| growth <= limit);
        let (verdict, p_value) = match p_value {
            None => (Verdict::Negligible, None),
            Some(_) if is_within => (Verdict::Within, None),
            Some(p_value) if p_value <= alpha => (Verdict::Exceeded, Some(p_value)),
            Some(p_value) => (Verdict::Inconclusive, Some(p_value)),
        };
        gate.roots.push(RootVerdict { root: at, growth, changed_growth, p_value, exact, verdict });
    }
    if gate.roots.iter().all(|root| root.verdict == Verdict::Negligible) && !gate.roots.is_empty() {
        gate.refused.push(
            "time: all selected roots have less than 1 % of the time, so there is nothing to compare"
                .to_owned(),
        );
    }
    gate.notes.extend((!exact).then(|| inexact_note(diff.runs, alpha)));
    gate.notes.extend((!interleaved).then(|| NOT_INTERLEAVED.to_owned()));
    if gate.roots.iter().any(|root| root.verdict == Verdict::Inconclusive) {
        gate.notes.push(
            "a root was slower by more than the limit, but that may be chance: record more runs"
                .to_owned(),
        );
    }
}
