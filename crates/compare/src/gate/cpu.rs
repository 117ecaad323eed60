//! The gate for the running times of roots.
//!
//! They scatter from run to run as times do, and may be off for what is not known of switches. A
//! root exceeds its limit if it does by both.

use jfathom_profile::Profile;
use jfathom_statistics::{holm, lower_half_mean};

use super::run_test::{RunTest, single_runs};
use super::verdict::{CpuVerdict, Verdict};
use crate::diff::{CpuParts, Diff, RootDiff, cpu_source, growth};

/// Roots with a smaller share of the running time on both sides do not count.
const NEGLIGIBLE_SHARE: f64 = 0.01;
/// If more of a root's time is unknown, its running time is not.
const UNKNOWN_SHARE: f64 = 0.01;

/// A root with its runs.
struct Judged {
    root: usize,
    nanos: [Vec<f64>; 2],
    growth: f64,
    /// By how much the growth may be off.
    error: f64,
    is_negligible: bool,
}

/// The verdicts on the running times of the selected roots, or why there are none.
pub(super) fn check(
    profiles: [&Profile; 2],
    diff: &Diff,
    limit: f64,
    alpha: f64,
    selected: &[bool],
    interleaved: bool,
) -> Result<Vec<CpuVerdict>, String> {
    let mut sources = Vec::new();
    for (side, profile) in ["base", "new"].into_iter().zip(profiles) {
        let source = cpu_source(profile).ok_or_else(|| {
            format!(
                "cpu: the {side} profile does not know of all its runs when threads ran; record both sides \
                 with --metrics cpu"
            )
        })?;
        sources.push(source);
    }
    if sources[0] != sources[1] {
        return Err(
            "cpu: the two sides were told in different ways when threads ran; record both in \
                    the same way"
                .to_owned(),
        );
    }
    if let Some(who) = single_runs(diff.runs) {
        return Err(format!("cpu: {who} one run, which has no spread; record both with --runs 10"));
    }
    let roots = judged(diff, selected)?;
    let decide = roots.iter().filter(|root| !root.is_negligible).count();
    if decide == 0 {
        return Err(
            "cpu: all selected roots have less than 1 % of the running time, so there is nothing \
                    to compare"
                .to_owned(),
        );
    }
    let test = RunTest::new(diff.runs, decide, alpha, interleaved);
    // A root within its limit needs no test, but counts in the number of roots.
    let p_value = |root: &Judged| match root.growth <= limit {
        true => 1.0,
        false => test.p_value(&root.nanos),
    };
    let mut p_values: Vec<f64> =
        roots.iter().filter(|root| !root.is_negligible).map(p_value).collect();
    holm(&mut p_values);
    let mut p_values = p_values.into_iter();
    let verdict = |root: Judged| {
        let Judged { root, growth, error, is_negligible, .. } = root;
        let found = if is_negligible { None } else { p_values.next() };
        let (verdict, p_value) = match found {
            None => (Verdict::Negligible, None),
            // With a wider bar than the limit it may be beyond as well.
            Some(_) if growth <= limit => match error <= limit || growth + error <= limit {
                true => (Verdict::Within, None),
                false => (Verdict::Inconclusive, None),
            },
            Some(p_value) if p_value <= alpha && growth - error > limit => {
                (Verdict::Exceeded, Some(p_value))
            }
            Some(p_value) => (Verdict::Inconclusive, Some(p_value)),
        };
        CpuVerdict { root, growth, error, p_value, exact: test.exact, verdict }
    };
    Ok(roots.into_iter().map(verdict).collect())
}

/// The selected roots that both sides have.
fn judged(diff: &Diff, selected: &[bool]) -> Result<Vec<Judged>, String> {
    let on_both = |root: &&RootDiff| root.cpu.iter().all(|runs| !runs.is_empty());
    let running = |root: &RootDiff| root.cpu.each_ref().map(|runs| CpuParts::mean(runs).running);
    let mut whole = [0.0; 2];
    for root in diff.roots.iter().filter(on_both) {
        let of = running(root);
        whole = [whole[0] + of[0], whole[1] + of[1]];
    }
    let mut judged = Vec::new();
    for (at, root) in diff.roots.iter().enumerate().filter(|(_, root)| selected[root.method]) {
        if !on_both(&root) {
            continue;
        }
        let of = running(root);
        let share = |side: usize| if whole[side] > 0.0 { of[side] / whole[side] } else { 0.0 };
        let is_negligible = share(0).max(share(1)) < NEGLIGIBLE_SHARE;
        for (side, runs) in ["base", "new"].into_iter().zip(&root.cpu) {
            let unknown = CpuParts::mean(runs).unknown_share();
            if unknown > UNKNOWN_SHARE && !is_negligible {
                return Err(format!(
                    "cpu: of {:.1} % of a root's time in the {side} profile it is not known whether \
                     threads ran",
                    unknown * 100.0
                ));
            }
        }
        let nanos = root.running_nanos();
        let Some(growth) = growth(&nanos) else {
            if is_negligible {
                continue;
            }
            return Err("cpu: a root has no running time in the base to compare with".to_owned());
        };
        let base = lower_half_mean(&nanos[0]);
        let errors: f64 = root.cpu.iter().map(|runs| CpuParts::mean(runs).error).sum();
        judged.push(Judged { root: at, nanos, growth, error: errors / base, is_negligible });
    }
    match judged.is_empty() {
        true => Err("cpu: no root that is selected is in both profiles; name roots with \
                     `rewrite --root`"
            .to_owned()),
        false => Ok(judged),
    }
}
