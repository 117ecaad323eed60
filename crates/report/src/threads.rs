//! The threads as text.

use crate::{
    number::{duration, grouped, percent},
    table::Table,
    view::View,
};
use jfathom_compare::Cells;
use jfathom_profile::{Frame, Nanos, NodeIx, Profile, Scheduling, ThreadIx, Ticks};
use jfathom_views::{text_columns, thread_name, value_text};
use std::{
    cmp::Reverse,
    io::{self, Write},
};

/// Writes the threads, the busiest first: time in recorded methods, time outside of them, calls,
/// waits taken out, run-queue delay, involuntary switches, and the columns that the profile has.
pub(crate) fn write(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let shown = view.scope.threads(profile);
    let mut rows: Vec<(NodeIx, ThreadIx)> = profile
        .tree
        .roots()
        .filter_map(|root| match profile.tree.frame(root) {
            Frame::Thread(thread) => Some((root, thread)),
            _ => None,
        })
        .filter(|(_, thread)| shown.binary_search(thread).is_ok())
        .collect();
    rows.sort_by_key(|(root, _)| (Reverse(profile.tree.total_time(*root)), *root));
    let whole: Ticks = rows.iter().map(|(root, _)| profile.tree.total_time(*root)).sum();
    let mut columns = vec!["%", "recorded", "unattributed", "calls", "excluded"];
    let is_observed = rows.iter().any(|(_, thread)| profile.thread(*thread).scheduling.is_some());
    if is_observed {
        columns.extend(["queued", "switches"]);
    }
    let more = text_columns(profile);
    columns.extend(more.iter().map(|column| column.titles[1]));
    let mut table = Table::new(&columns, "thread");
    for (root, thread) in rows.iter().copied().take(view.limit) {
        let facts = profile.thread(thread);
        let time = |ticks| duration(profile.rate.nanos(ticks));
        let total = profile.tree.total_time(root);
        let scheduled =
            |text: fn(Scheduling) -> String| facts.scheduling.map_or_else(|| "-".to_owned(), text);
        let name = thread_name(profile, thread);
        let name = name.strip_prefix("thread ").unwrap_or(&name).to_owned();
        let mut cells = vec![
            percent(total.0 as f64, whole.0 as f64),
            time(total),
            time(facts.unattributed),
            grouped(calls(profile, root)),
            time(facts.excluded),
        ];
        if is_observed {
            cells.push(scheduled(|of| duration(Nanos(of.queued_nanos))));
            cells.push(scheduled(|of| grouped(of.involuntary_switches)));
        }
        let values = Cells::measured(profile, root);
        for column in &more {
            cells.push(value_text(column, column.values(&values)[1]));
        }
        table.row(cells, 0, name);
    }
    write_line!(out, "threads")?;
    table.write(view.width, out)?;
    if let more @ 1.. = rows.len().saturating_sub(view.limit) {
        write_line!(out, "{} more threads (--limit shows more)", grouped(more as u64))?;
    }
    Ok(())
}

/// Calls of methods below a root.
pub(crate) fn calls(profile: &Profile, root: NodeIx) -> u64 {
    let tree = &profile.tree;
    let nodes = tree.subtree(root).map(NodeIx);
    let methods = nodes.filter(|node| matches!(tree.frame(*node), Frame::Method(_)));
    methods.map(|node| tree.calls(node)).fold(0, u64::saturating_add)
}
