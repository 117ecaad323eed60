//! The call tree as a flat table, one row for each call path.

use crate::{
    number::{grouped, time_format},
    table::Table,
    view::View,
};
use jfathom_profile::Frame;
use jfathom_views::{Pruned, text_columns, value_text};
use std::{
    collections::HashMap,
    io::{self, Write},
};

/// Writes level, recursion level, calls, self and total time of each call path in the tree's order,
/// with the columns that the profile has.
/// The recursion level is the number of enclosing calls of the same method.
pub(crate) fn write(shown: &Pruned, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let tree = &shown.tree;
    let time = time_format(view.width);
    let mut titles = vec!["level", "recursion", "calls", "timed", "self", "total"];
    let columns = text_columns(shown.profile);
    titles.extend(columns.iter().flat_map(|column| column.titles));
    let mut table = Table::new(&titles, "method");
    let mut open: HashMap<Frame, u64> = HashMap::new();
    let mut path: Vec<Frame> = Vec::new();
    for node in shown.nodes() {
        for closed in path.drain((tree.depth(node) as usize).min(path.len())..) {
            open.entry(closed).and_modify(|count| *count = count.saturating_sub(1));
        }
        let frame = tree.frame(node);
        let recursion = open.entry(frame).or_default();
        let times = shown.times_or_measured(node);
        let has_time = shown.has_time(node);
        // `⋯` has no calls, and the time of the timed calls below it.
        let is_between = shown.is_between(node);
        let cell_if = |is_there: bool, text: String| if is_there { text } else { String::new() };
        let mut cells = vec![
            tree.depth(node).to_string(),
            recursion.to_string(),
            cell_if(!is_between, grouped(tree.calls(node))),
            cell_if(!is_between, grouped(tree.timed(node))),
            cell_if(has_time, time(times.self_nanos, times.self_error_nanos)),
            cell_if(has_time || is_between, time(times.total_nanos, times.total_error_nanos)),
        ];
        let values = shown.cells(node);
        for column in &columns {
            cells.extend(column.values(&values).map(|value| value_text(column, value)));
        }
        *recursion += 1;
        path.push(frame);
        table.row(cells, 0, shown.node_name(node));
    }
    write_line!(out, "call paths")?;
    table.write(view.width, out)
}
