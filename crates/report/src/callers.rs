//! Back traces of methods as text: who calls them, and who calls those.

use crate::{
    number::{grouped, percent, time_format},
    table::Table,
    view::View,
};
use jfathom_views::{Pruned, backtraces};
use std::io::{self, Write};

/// Writes for each method the tree of its callers, the costliest first. Times are the method's own
/// total times in calls that came that way.
pub(crate) fn write(shown: &Pruned, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let methods = view.methods(shown);
    let time = time_format(view.width);
    write_line!(out, "back traces: below a method stand its callers")?;
    let mut table = Table::new(&["%", "total", "calls"], "method and its callers");
    let mut hidden = 0_u64;
    for method in &methods {
        let rows = backtraces(shown, *method);
        let Some(whole) = rows.first().cloned() else { continue };
        let is_shown = |part: f64, all: f64| all <= 0.0 || part * 100.0 / all >= view.threshold;
        let mut hidden_below: Option<u32> = None;
        for row in rows {
            let is_small = !is_shown(row.times.total_nanos, whole.times.total_nanos)
                && !is_shown(row.calls as f64, whole.calls as f64);
            let is_deep = view.depth.is_some_and(|depth| row.depth > depth);
            if hidden_below.is_some_and(|depth| row.depth > depth) {
                hidden += 1;
                continue;
            }
            hidden_below = (is_small || is_deep).then_some(row.depth);
            if hidden_below.is_some() {
                hidden += 1;
                continue;
            }
            let total = match row.timed {
                0 => String::new(),
                _ => time(row.times.total_nanos, row.times.total_error_nanos),
            };
            let cells =
                vec![percent(row.times.total_nanos, shown.whole), total, grouped(row.calls)];
            table.row(cells, row.depth as usize, shown.frame_name(row.frame));
        }
    }
    table.write(view.width, out)?;
    if hidden > 0 {
        write_line!(
            out,
            "{} callers have less than {} % of the method's time and calls, or are deeper",
            grouped(hidden),
            view.threshold
        )?;
    }
    Ok(())
}
