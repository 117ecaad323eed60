//! The call tree as text.

use crate::{
    counted::TIMED_LEGEND,
    number::{grouped, percent, signed, with_error_bar},
    table::Table,
    view::{View, Visible},
};
use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Frame, NodeIx, Profile};
use jfathom_views::ThreadTrees;
use std::{
    cmp::Reverse,
    io::{self, Write},
};

/// Writes the call tree, the costliest children first.
pub(crate) fn write(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = view.of(profile, corrected);
    let tree = &*shown.tree;
    let has_counted = shown.nodes().any(|node| tree.counted(node) > 0);
    let titles: &[&str] = match has_counted {
        true => &["%", "total", "self", "calls", "timed"],
        false => &["%", "total", "self", "calls"],
    };
    let mut table = Table::new(titles, "call path");
    let (mut written, mut hidden) = (0_u64, 0_u64);
    // A stack of its own: a recorded path may be deeper than the stack of this thread.
    let mut stack = sorted(&shown, shown.roots.iter().copied());
    while let Some(node) = stack.pop() {
        if !shown.shows(node) || shown.is_small(node) {
            hidden += tree.subtree(node).len() as u64;
            continue;
        }
        written += 1;
        let name = shown.frame_name(tree.frame(node));
        table.row(cells(&shown, node, has_counted), tree.depth(node) as usize, name);
        stack.extend(sorted(&shown, tree.children(node)));
    }
    let threads = match view.scope.threads {
        ThreadTrees::Merged => ", threads added up",
        ThreadTrees::Each | ThreadTrees::Pools => "",
    };
    write_line!(out, "call tree{threads}")?;
    table.write(view.width, out)?;
    if has_counted {
        write_line!(out, "{TIMED_LEGEND}")?;
    }
    if hidden > 0 {
        let deeper =
            view.depth.map(|depth| format!(" or are deeper than {depth}")).unwrap_or_default();
        write_line!(
            out,
            "{} of {} nodes; the others have less than {} % of the time{deeper}",
            grouped(written),
            grouped(written + hidden),
            view.threshold
        )?;
    }
    Ok(())
}

/// Nodes by total time, the largest last, then by calls; equal ones in reverse order, so that a
/// stack gives them back in their own.
fn sorted(shown: &Visible, nodes: impl Iterator<Item = NodeIx>) -> Vec<NodeIx> {
    let mut nodes: Vec<NodeIx> = nodes.collect();
    nodes.sort_by(|a, b| {
        let (own, other) =
            ((shown.tree.calls(*a), Reverse(*a)), (shown.tree.calls(*b), Reverse(*b)));
        shown.total(*a).total_cmp(&shown.total(*b)).then(own.cmp(&other))
    });
    nodes
}

fn cells(shown: &Visible, node: NodeIx, has_counted: bool) -> Vec<String> {
    let tree = &shown.tree;
    let (own, total) = match shown.times(node) {
        Some(times) => (
            with_error_bar(times.self_nanos, times.self_error_nanos),
            with_error_bar(times.total_nanos, times.total_error_nanos),
        ),
        None => (signed(shown.self_time(node)), signed(shown.total(node))),
    };
    let (own, calls) = match tree.frame(node) {
        Frame::Thread(_) => (String::new(), String::new()),
        _ => (own, grouped(tree.calls(node))),
    };
    let mut cells = vec![percent(shown.total(node), shown.whole), total, own, calls];
    if tree.timed(node) == 0 {
        // Its time is the caller's.
        cells[..3].iter_mut().for_each(String::clear);
    }
    if has_counted {
        cells.push(match tree.counted(node) {
            0 => String::new(),
            _ => grouped(tree.timed(node)),
        });
    }
    cells
}
