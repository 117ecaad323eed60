//! The call tree, of which some nodes are open.

use crate::row::{Row, Target, column_cells, time_cells, total_cells};
use jfathom_profile::{Frame, NodeIx};
use jfathom_views::{Shown, number::grouped};
use std::collections::HashSet;

/// Titles of the cells that each profile has.
pub(crate) const TITLES: [&str; 5] = ["%", "total", "self", "calls", "timed"];

/// The open nodes.
#[derive(Debug, Default)]
pub(crate) struct OpenNodes(HashSet<NodeIx>);

impl OpenNodes {
    /// Opens the roots and the costliest path below each, as far as it takes nearly all of the
    /// time.
    pub fn at_start(shown: &Shown) -> Self {
        let mut open = Self::default();
        for root in &shown.roots {
            open.open_path(shown, *root);
        }
        open
    }

    /// Opens a node and the costliest path below it, up to the first fork.
    pub fn open_path(&mut self, shown: &Shown, from: NodeIx) {
        let mut at = from;
        loop {
            self.0.insert(at);
            let Some(next) = shown.by_cost(shown.tree.children(at)).pop() else { return };
            if shown.total(next) < 0.8 * shown.total(at) {
                return;
            }
            at = next;
        }
    }

    /// Opens a node if it has children. Whether it was closed and has.
    pub fn open(&mut self, shown: &Shown, node: NodeIx) -> bool {
        shown.tree.children(node).next().is_some() && self.0.insert(node)
    }

    /// Closes a node. Whether it was open.
    pub fn close(&mut self, node: NodeIx) -> bool {
        self.0.remove(&node)
    }

    /// Opens all ancestors of a node.
    pub fn reveal(&mut self, shown: &Shown, node: NodeIx) {
        let mut depth = shown.tree.depth(node);
        for above in (0..node.0).rev().map(NodeIx) {
            if depth == 0 {
                return;
            }
            if shown.tree.depth(above) < depth {
                depth = shown.tree.depth(above);
                self.0.insert(above);
            }
        }
    }
}

/// The lines: nodes whose ancestors are open, the costliest first.
pub(crate) fn rows(shown: &Shown, open: &OpenNodes) -> Vec<Row> {
    let tree = &shown.tree;
    let mut rows = Vec::new();
    let mut stack = shown.by_cost(shown.roots.iter().copied());
    while let Some(node) = stack.pop() {
        let has_children = tree.children(node).next().is_some();
        let is_open = open.0.contains(&node);
        let has_time = shown.has_time(node);
        let times = shown.times_or_measured(node);
        // What was not timed may have timed calls below it: their time is in its total.
        let [share, total] = total_cells(times, shown.whole, shown.has_total(node));
        let is_thread = matches!(tree.frame(node), Frame::Thread(_));
        let [_, own] = time_cells(
            times.self_nanos,
            times.self_error_nanos,
            shown.whole,
            has_time && !is_thread,
        );
        let is_between = shown.is_between(node);
        let [calls, timed] = match (is_thread || is_between, tree.counted(node)) {
            (true, _) => [String::new(), String::new()],
            (false, 0) => [grouped(tree.calls(node)), String::new()],
            (false, _) => [grouped(tree.calls(node)), grouped(tree.timed(node))],
        };
        let mut cells = vec![share, total, own, calls, timed];
        cells.extend(column_cells(shown.profile, &shown.cells(node)));
        rows.push(Row {
            cells,
            level: tree.depth(node) as usize,
            mark: match (has_children, is_open) {
                (false, _) => ' ',
                (true, false) => '▸',
                (true, true) => '▾',
            },
            name: shown.frame_name(tree.frame(node)),
            target: Target::Node(node),
        });
        if is_open {
            stack.extend(shown.by_cost(tree.children(node)));
        }
    }
    rows
}
