//! The hot methods.

use crate::row::{Row, Target, column_cells, time_cells, total_cells};
use jfathom_compare::HotMethod;
use jfathom_profile::Frame;
use jfathom_views::{Shown, Sort, number::grouped};

/// Titles of the cells that each profile has.
pub(crate) const TITLES: [&str; 6] = ["%", "self", "%", "total", "calls", "timed"];

/// All methods, the costliest first.
pub(crate) fn rows(shown: &Shown, by: Sort) -> Vec<Row> {
    let row = |hot: HotMethod| {
        let times = hot.times;
        let has_time = hot.has_time();
        let [own_share, own] =
            time_cells(times.self_nanos, times.self_error_nanos, shown.whole, has_time);
        let [share, total] = total_cells(times, shown.whole, has_time);
        let timed = match hot.timed() == hot.calls() {
            true => String::new(),
            false => grouped(hot.timed()),
        };
        let frame = Frame::Method(hot.method);
        let mut cells = vec![own_share, own, share, total, grouped(hot.calls()), timed];
        cells.extend(column_cells(shown.profile, &shown.method_cells(&hot)));
        Row {
            cells,
            level: 0,
            mark: ' ',
            name: shown.frame_name(frame),
            target: Target::Frame(frame),
        }
    };
    shown.hot_methods(by).into_iter().map(row).collect()
}
