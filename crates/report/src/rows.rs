//! The call tree as a flat table, one row for each call path.

use crate::{
    number::{grouped, time_format},
    table::Table,
    view::View,
};
use jfathom_profile::Frame;
use jfathom_views::Pruned;
use std::{
    collections::HashMap,
    io::{self, Write},
};

/// Writes level, recursion level, calls, self and total time of each call path in the tree's order.
/// The recursion level is the number of enclosing calls of the same method.
pub(crate) fn write(shown: &Pruned, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let tree = &shown.tree;
    let time = time_format(view.width);
    let mut table =
        Table::new(&["level", "recursion", "calls", "timed", "self", "total"], "method");
    let mut open: HashMap<Frame, u64> = HashMap::new();
    let mut path: Vec<Frame> = Vec::new();
    for node in shown.nodes() {
        for closed in path.drain((tree.depth(node) as usize).min(path.len())..) {
            open.entry(closed).and_modify(|count| *count = count.saturating_sub(1));
        }
        let frame = tree.frame(node);
        let recursion = open.entry(frame).or_default();
        let times = shown.times_or_measured(node);
        let has_time = tree.timed(node) > 0;
        let cell = |text: String| if has_time { text } else { String::new() };
        let cells = vec![
            tree.depth(node).to_string(),
            recursion.to_string(),
            grouped(tree.calls(node)),
            grouped(tree.timed(node)),
            cell(time(times.self_nanos, times.self_error_nanos)),
            cell(time(times.total_nanos, times.total_error_nanos)),
        ];
        *recursion += 1;
        path.push(frame);
        table.row(cells, 0, shown.node_name(node));
    }
    write_line!(out, "call paths")?;
    table.write(view.width, out)
}
