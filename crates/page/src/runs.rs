//! The runs of a series, method by method.

use crate::{
    columns::{Columns, whole},
    frames::FrameTable,
};
use jfathom_calibration::correct_times;
use jfathom_compare::HotMethod;
use jfathom_profile::Profile;
use jfathom_report::View;
use jfathom_views::Shown;
use std::collections::HashMap;

/// Adds calls, self and total time of each method of the frame table in each run: all methods of
/// the first run, then those of the second one. Returns the number of runs, 0 if there is one.
pub(crate) fn add_runs(
    columns: &mut Columns,
    profile: &Profile,
    view: &View,
    frames: &FrameTable,
) -> usize {
    if profile.runs.len() < 2 {
        return 0;
    }
    let rows: Vec<HotMethod> = (0..profile.runs.len())
        .filter_map(|number| profile.run(number))
        .flat_map(|run| of_run(&run, view, frames))
        .collect();
    columns.add("runCalls", rows.iter().map(|row| row.calls));
    columns.add_signed("runSelf", rows.iter().map(|row| whole(row.times.self_nanos)));
    columns.add_signed("runTotal", rows.iter().map(|row| whole(row.times.total_nanos)));
    profile.runs.len()
}

/// The sums of each method in a run, zero for those that it did not call.
fn of_run(run: &Profile, view: &View, frames: &FrameTable) -> Vec<HotMethod> {
    let corrected = if view.raw { None } else { correct_times(run, view.estimator) };
    let shown = Shown::new(run, corrected.as_ref(), &view.scope);
    let mut by_method: HashMap<_, _> =
        shown.hot_methods().into_iter().map(|row| (row.method, row)).collect();
    let row = |method| {
        let mut row = by_method.remove(&method).unwrap_or(HotMethod {
            method,
            calls: 0,
            timed: 0,
            self_time: Default::default(),
            total_time: Default::default(),
            times: Default::default(),
        });
        if corrected.is_none() {
            row.times.self_nanos = shown.nanos(row.self_time);
            row.times.total_nanos = shown.nanos(row.total_time);
        }
        row
    };
    frames.methods().map(row).collect()
}
