//! The gate for calls.

use jfathom_profile::{MethodIx, Profile};

use super::limits::CallLimit;
use super::losses::lost_counts;
use super::outcome::{CallsVerdict, Gate};
use crate::Calls;
use crate::conditions::incomparable_calls;
use crate::diff::{Diff, MethodDiff};

/// Checks the calls of the selected methods.
pub(super) fn check(
    gate: &mut Gate,
    profiles: [&Profile; 2],
    diff: &Diff,
    limit: CallLimit,
    selected: &[bool],
) {
    for (profile, side) in profiles.into_iter().zip(["base", "new"]) {
        if let Some(loss) = lost_counts(&profile.quality) {
            gate.refused.push(format!(
                "calls: {loss} in the {side} profile, so its counts are too low; record again"
            ));
        }
    }
    if let Some(why) = incomparable_calls(profiles[0], profiles[1]) {
        gate.refused.push(format!("calls: {why}"));
    }
    if !gate.refused.is_empty() {
        return;
    }
    if profiles[0].meta.jvms.iter().any(|jvm| jvm.roots_only) {
        gate.notes.push(
            "only the roots were recorded (--probe '**=off'): the limit holds for their calls alone"
                .to_owned(),
        );
    }
    for side in 0..2 {
        if diff.runs[side] == 1 {
            let side = ["base", "new"][side];
            gate.notes.push(format!(
                "the {side} profile has one run: counts that vary between its equal runs are not known (record --runs 10)"
            ));
        }
    }
    let place = |at: Option<MethodIx>, of: fn(&MethodDiff) -> Option<MethodIx>| {
        diff.methods.iter().position(|method| of(method) == at)
    };
    // Ambiguous methods are compared together.
    let mut grouped = vec![false; diff.methods.len()];
    for (of_base, of_new) in &diff.matching.ambiguous {
        let base = of_base.iter().filter_map(|at| place(Some(*at), |method| method.base));
        let new = of_new.iter().filter_map(|at| place(Some(*at), |method| method.new));
        let members: Vec<usize> = base.chain(new).filter(|at| selected[*at]).collect();
        members.iter().for_each(|at| grouped[*at] = true);
        compare(gate, diff, members, limit);
    }
    for at in (0..diff.methods.len()).filter(|at| selected[*at] && !grouped[*at]) {
        compare(gate, diff, vec![at], limit);
    }
    let nothing_compared = gate.calls_within == 0 && gate.calls_exceeded.is_empty();
    if nothing_compared && !gate.varying.is_empty() {
        gate.refused.push(
            "calls: those of all selected methods vary between equal runs, so there is nothing to \
             compare"
                .to_owned(),
        );
    }
    gate.calls_exceeded.sort_by_key(|calls| std::cmp::Reverse(calls.new - calls.base));
}

/// Compares the summed calls of some methods.
fn compare(gate: &mut Gate, diff: &Diff, methods: Vec<usize>, limit: CallLimit) {
    if methods.is_empty() {
        return;
    }
    if methods.iter().any(|at| diff.methods[*at].calls.varies()) {
        gate.varying.extend(methods);
        return;
    }
    let sum = |of: fn(&MethodDiff) -> Option<Calls>| {
        let calls = methods.iter().filter_map(|at| of(&diff.methods[*at]));
        calls.map(|calls| calls.least).fold(0, u64::saturating_add)
    };
    let (base, new) = (sum(|method| method.calls.base), sum(|method| method.calls.new));
    if limit.allows(base, new) {
        gate.calls_within += methods.len();
    } else {
        gate.calls_exceeded.push(CallsVerdict { methods, base, new });
    }
}
