//! The call tree as text.

use crate::{
    names::Names,
    number::{duration, grouped, percent},
    table::Table,
    view::{Shown, View},
};
use jfathom_profile::{Frame, NodeIx, Profile};
use std::{
    cmp::Reverse,
    io::{self, Write},
};

/// Writes the call tree, the costliest children first.
pub(crate) fn write(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let shown = view.of(profile);
    let tree = &*shown.tree;
    let names = Names::of(&profile.methods);
    let mut table = Table::new(&["%", "total", "self", "calls"], "call path");
    let (mut written, mut hidden) = (0_u64, 0_u64);
    // A stack of its own: a recorded path may be deeper than the stack of this thread.
    let mut stack = sorted(&shown, shown.roots.iter().copied());
    while let Some(node) = stack.pop() {
        if !shown.shows(node) || shown.is_small(node) {
            hidden += tree.subtree(node).len() as u64;
            continue;
        }
        written += 1;
        let name = names.frame(profile, tree.frame(node));
        table.row(cells(&shown, node), tree.depth(node) as usize, name);
        stack.extend(sorted(&shown, tree.children(node)));
    }
    writeln!(out, "call tree{}", if view.merge_threads { ", threads added up" } else { "" })?;
    table.write(view.width, out)?;
    if hidden > 0 {
        let deeper = view.depth.map(|depth| format!(" or are deeper than {depth}")).unwrap_or_default();
        writeln!(
            out,
            "{} of {} nodes; the others have less than {} % of the time{deeper}",
            grouped(written),
            grouped(written + hidden),
            view.threshold
        )?;
    }
    Ok(())
}

/// Nodes by total time, the largest last; equal ones in reverse order, so that a stack gives them back in their own.
fn sorted(shown: &Shown, nodes: impl Iterator<Item = NodeIx>) -> Vec<NodeIx> {
    let mut nodes: Vec<NodeIx> = nodes.collect();
    nodes.sort_by_key(|node| (shown.tree.total_time(*node), Reverse(*node)));
    nodes
}

fn cells(shown: &Shown, node: NodeIx) -> Vec<String> {
    let total = shown.total(node);
    let (own, calls) = match shown.tree.frame(node) {
        Frame::Thread(_) => (String::new(), String::new()),
        _ => (duration(shown.own(node)), grouped(shown.tree.calls(node))),
    };
    vec![percent(total.0, shown.whole.0), duration(total), own, calls]
}
