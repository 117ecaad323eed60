//! The callers of methods by walked stacks, for the page of a difference.

use jfathom_compare::{Caller, CallerDiff, WalksDiff};
use jfathom_views::{Comparison, caller_levels, sampled_name, walk_interval, walks_doubt};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Callers that a page shows of a method.
const MOST: usize = 60;

/// By the index of a method in [`jfathom_compare::Diff::methods`]: a line that says what its walks
/// are, and a row for each caller: its level, its calls on both sides, whether they differ by more
/// than chance, and its name. Callers without a fork between them have one level. Callers that are
/// too many are left out, those with the fewest walks first. `name` gives that of a method of the
/// difference.
pub(crate) fn changed_callers(
    compared: &Comparison<'_>,
    name: impl Fn(usize) -> String,
) -> HashMap<usize, Value> {
    let of = |of| {
        let most = most(of);
        let all = of.sides.map(|side| side.walks);
        let levels = caller_levels(all, most.iter().map(|row| (row.depth, row.walks)));
        let rows = most.iter().zip(levels).map(|(row, level)| {
            let [base, new] = of.calls(row).map_or([None; 2], |calls| calls.map(Some));
            let caller = match &row.caller {
                Caller::Method(place) => name(*place),
                Caller::Named(frame) => format!("~ {}", sampled_name(frame)),
            };
            let is_marked = row.p_value.is_some() && of.is_changed(row);
            json!([level, base, new, is_marked, caller])
        });
        json!({
            "text": text(compared, of),
            "rows": rows.collect::<Vec<_>>(),
            "more": of.callers.len() - most.len(),
        })
    };
    compared.diff.walks.iter().map(|walks| (walks.method, of(walks))).collect()
}

/// The callers that are shown, in their order. With each is the one that it calls: that has no
/// fewer walks, and stands before it.
fn most(of: &WalksDiff) -> Vec<&CallerDiff> {
    let mut most: Vec<usize> = (0..of.callers.len()).collect();
    let walks = |at: usize| of.callers.get(at).map_or(0, |row| row.walks.iter().sum::<u64>());
    most.sort_by_key(|at| std::cmp::Reverse(walks(*at)));
    most.truncate(MOST);
    most.sort_unstable();
    most.into_iter().filter_map(|at| of.callers.get(at)).collect()
}

fn text(compared: &Comparison<'_>, of: &WalksDiff) -> String {
    let [base, new] = of.sides.map(|side| walk_interval(side.interval));
    let interval = if base == new { base } else { format!("{base} of the base, {new} of the new") };
    let doubt = walks_doubt(compared, of).map_or(String::new(), |doubt| format!("; {doubt}"));
    format!(
        "calls of a run; walked: {interval}; * more than chance; ~ a frame without recorded calls{doubt}"
    )
}
