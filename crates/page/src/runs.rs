//! The runs of a series, method by method.

use crate::{
    columns::{Columns, whole},
    frames::FrameTable,
};
use jfathom_compare::{Diff, HotMethod, MethodDiff};
use jfathom_profile::{MethodIx, Profile};
use jfathom_views::{Scope, Shown, Sort};
use std::collections::HashMap;

/// Adds self and total time of each method of the frame table in each run: all methods of the first
/// run, then those of the second one. Returns the number of runs on each side: there is one side,
/// and none if there is one run.
pub(crate) fn add_runs(
    columns: &mut Columns,
    profile: &Profile,
    scope: &Scope,
    frames: &FrameTable,
) -> Vec<usize> {
    if profile.runs.len() < 2 {
        return Vec::new();
    }
    let rows: Vec<HotMethod> = (0..profile.runs.len())
        .filter_map(|number| profile.run(number))
        .flat_map(|run| of_run(&run, scope, frames))
        .collect();
    columns.add_signed("runSelf", rows.iter().map(|row| whole(row.times.self_nanos)));
    columns.add_signed("runTotal", rows.iter().map(|row| whole(row.times.total_nanos)));
    vec![profile.runs.len()]
}

/// The same of a difference: all runs of the baseline, then those of the candidate. None if each
/// side has one run.
pub(crate) fn add_runs_of_sides(
    columns: &mut Columns,
    diff: &Diff,
    frames: &FrameTable,
) -> Vec<usize> {
    if diff.runs == [1, 1] {
        return Vec::new();
    }
    for (name, of) in [
        ("runSelf", (|method| &method.self_nanos) as fn(&MethodDiff) -> &[Vec<f64>; 2]),
        ("runTotal", |method| &method.total_nanos),
    ] {
        let nanos = |side: usize, run: usize, at: MethodIx| {
            let runs = diff.methods.get(at.0 as usize).map(|method| &of(method)[side]);
            runs.and_then(|runs| runs.get(run)).copied().unwrap_or(0.0)
        };
        let runs = (0..2).flat_map(|side| (0..diff.runs[side]).map(move |run| (side, run)));
        let rows = runs
            .flat_map(|(side, run)| frames.methods().map(move |at| whole(nanos(side, run, at))));
        columns.add_signed(name, rows);
    }
    diff.runs.to_vec()
}

/// The sums of each method in a run, zero for those that it did not call.
fn of_run(run: &Profile, scope: &Scope, frames: &FrameTable) -> Vec<HotMethod> {
    let corrected = scope.corrected(run);
    let shown = Shown::new(run, corrected.as_ref(), scope);
    let mut by_method: HashMap<_, _> =
        shown.hot_methods(Sort::SelfTime).into_iter().map(|row| (row.method, row)).collect();
    let row = |method| {
        let none = HotMethod { method, ..HotMethod::default() };
        by_method.remove(&method).unwrap_or(none)
    };
    frames.methods().map(row).collect()
}
