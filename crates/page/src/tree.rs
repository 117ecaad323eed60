//! The tree of a page as columns.
//!
//! Nodes are in preorder, the costliest child first, so that a page can stop at the first child
//! that is too small to draw. A frame is written as its rank among the callees of its caller, of
//! which most callers have few.

use crate::columns::{Columns, bar_code, whole};
use crate::metrics::Metric;
use jfathom_calibration::Times;
use serde_json::Value;
use std::collections::HashMap;

/// A node of a page's tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PageNode {
    /// Number of ancestors.
    pub depth: u32,
    /// Index of its frame in the page's table.
    pub frame: u32,
    /// Timed calls.
    pub timed: u64,
    /// Counted calls.
    pub counted: u64,
    /// Self time in ns; in a difference the candidate's, as all times here.
    pub self_nanos: f64,
    /// Total time in ns.
    pub total_nanos: f64,
    /// Error bar of the self time in ns, or of the difference of both sides.
    pub self_bar: f32,
    /// Error bar of the total time, likewise.
    pub total_bar: f32,
}

impl PageNode {
    /// The node with these times.
    pub(crate) fn with_times(self, times: Times) -> Self {
        Self {
            self_nanos: times.self_nanos,
            total_nanos: times.total_nanos,
            self_bar: times.self_error_nanos as f32,
            total_bar: times.total_error_nanos as f32,
            ..self
        }
    }
}

/// The baseline's numbers of a node, and whether the candidate's differ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BaseSide {
    /// All calls.
    pub calls: u64,
    /// Self time in ns.
    pub self_nanos: f64,
    /// Total time in ns.
    pub total_nanos: f64,
    /// 1 if self times differ significantly, 2 if total times do, 4 if calls vary between
    /// runs.
    pub flags: u64,
}

/// Adds the columns of nodes that are in preorder. `bases` has the baseline's numbers of each; it
/// is empty if there is no baseline, `metrics` what nodes have beside calls and times. `frames` is
/// the length of the frame table. Returns what the page needs to know of the metrics.
pub(crate) fn add_tree(
    columns: &mut Columns,
    nodes: &[PageNode],
    bases: &[BaseSide],
    metrics: &[Metric],
    frames: u32,
) -> Vec<Value> {
    let order = by_cost(nodes, bases);
    let sorted = || order.iter().map(|at| &nodes[*at as usize]);
    let callers = callers(nodes, &order, frames);
    let ranks = Ranks::new(sorted().zip(&callers).map(|(node, caller)| (*caller, node.frame)));
    columns.add("callees", ranks.table(frames));
    let rank = |(node, caller): (&PageNode, &u32)| ranks.rank(*caller, node.frame);
    columns.add("rank", sorted().zip(&callers).map(rank));
    columns.add("close", closed(sorted()));
    columns.add("timed", sorted().map(|node| node.timed));
    columns.add("counted", sorted().map(|node| node.counted));
    columns.add_signed("self", sorted().map(|node| whole(node.self_nanos)));
    let self_bar = |node: &PageNode| bar_code(node.self_bar.into());
    let total_bar = |node: &PageNode| bar_code(node.total_bar.into());
    columns.add("selfBar", sorted().map(self_bar));
    let more = |node: &PageNode| total_bar(node) as i64 - self_bar(node) as i64;
    columns.add_signed("totalBar", sorted().map(more));
    add_costly_bars(columns, &order, nodes);
    if !bases.is_empty() {
        let sorted = || order.iter().filter_map(|at| bases.get(*at as usize));
        columns.add("baseCalls", sorted().map(|base| base.calls));
        columns.add_signed("baseSelf", sorted().map(|base| whole(base.self_nanos)));
        columns.add("flags", sorted().map(|base| base.flags));
    }
    metrics.iter().filter_map(|metric| metric.add(columns, &order)).collect()
}

/// Nodes with at least this part of the whole have their bars in whole nanoseconds, too: a person
/// may hold them against the text report.
const COSTLY: f64 = 1.0 / 2000.0;

/// Adds the bars of the costliest nodes, and where these are: how many nodes after the one before.
fn add_costly_bars(columns: &mut Columns, order: &[u32], nodes: &[PageNode]) {
    let sorted = || order.iter().map(|at| &nodes[*at as usize]).enumerate();
    let roots = sorted().filter(|(_, node)| node.depth == 0);
    let whole: f64 = roots.map(|(_, node)| node.total_nanos).sum();
    let is_costly = |node: &PageNode| node.total_nanos >= whole * COSTLY;
    let costly = || sorted().filter(|(_, node)| is_costly(node));
    let mut before = 0;
    let steps = costly().map(|(at, _)| at - std::mem::replace(&mut before, at));
    columns.add("costly", steps.map(|step| step as u64));
    let nanos = |bar: f32| bar.round().max(0.0) as u64;
    columns.add("costlySelfBar", costly().map(|(_, node)| nanos(node.self_bar)));
    columns.add("costlyTotalBar", costly().map(|(_, node)| nanos(node.total_bar)));
}

/// By node, how many levels end before it: 0 for the first child of the node before it.
fn closed<'a>(nodes: impl Iterator<Item = &'a PageNode>) -> impl Iterator<Item = u64> {
    let mut next = 0;
    nodes.map(move |node| {
        let closed = next - node.depth.min(next);
        next = node.depth + 1;
        u64::from(closed)
    })
}

/// The nodes in preorder with siblings by cost, the costliest first.
fn by_cost(nodes: &[PageNode], bases: &[BaseSide]) -> Vec<u32> {
    let ends = ends(nodes);
    let cost = |at: u32| {
        let node = &nodes[at as usize];
        let base = bases.get(at as usize).copied().unwrap_or_default();
        let total = node.total_nanos.abs().max(base.total_nanos.abs());
        (total, node.timed.saturating_add(node.counted).max(base.calls))
    };
    let mut order = Vec::with_capacity(nodes.len());
    let mut stack = siblings(&ends, 0, nodes.len() as u32);
    let cheapest_first = |siblings: &mut [u32]| {
        siblings.sort_by(|a, b| {
            let ((time_a, calls_a), (time_b, calls_b)) = (cost(*a), cost(*b));
            time_a.total_cmp(&time_b).then(calls_a.cmp(&calls_b)).then(b.cmp(a))
        });
    };
    cheapest_first(&mut stack);
    while let Some(at) = stack.pop() {
        order.push(at);
        let mut children = siblings(&ends, at + 1, ends[at as usize]);
        cheapest_first(&mut children);
        stack.append(&mut children);
    }
    order
}

/// One past each node's last descendant.
fn ends(nodes: &[PageNode]) -> Vec<u32> {
    let mut ends = vec![nodes.len() as u32; nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        for closed in open.drain((node.depth as usize).min(open.len())..) {
            ends[closed] = at as u32;
        }
        open.push(at);
    }
    ends
}

fn siblings(ends: &[u32], begin: u32, end: u32) -> Vec<u32> {
    let mut next = begin;
    let mut siblings = Vec::new();
    while next < end {
        siblings.push(next);
        next = ends[next as usize];
    }
    siblings
}

/// The frame of each node's parent, in this order of the nodes; `none` for roots.
fn callers(nodes: &[PageNode], order: &[u32], none: u32) -> Vec<u32> {
    let mut path: Vec<u32> = Vec::new();
    let caller = |at: &u32| {
        let node = &nodes[*at as usize];
        path.truncate(node.depth as usize);
        let caller = path.last().copied().unwrap_or(none);
        path.push(node.frame);
        caller
    };
    order.iter().map(caller).collect()
}

/// The callees of each caller, the most frequent first.
struct Ranks {
    callees: HashMap<u32, Vec<u32>>,
    ranks: HashMap<(u32, u32), u64>,
}

impl Ranks {
    fn new(edges: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut counts: HashMap<(u32, u32), u64> = HashMap::new();
        edges.for_each(|edge| *counts.entry(edge).or_default() += 1);
        let mut edges: Vec<((u32, u32), u64)> = counts.into_iter().collect();
        edges
            .sort_by(|(a, of_a), (b, of_b)| a.0.cmp(&b.0).then(of_b.cmp(of_a)).then(a.1.cmp(&b.1)));
        let mut callees: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut ranks = HashMap::new();
        for ((caller, callee), _) in edges {
            let of_caller = callees.entry(caller).or_default();
            ranks.insert((caller, callee), of_caller.len() as u64);
            of_caller.push(callee);
        }
        Self { callees, ranks }
    }

    fn rank(&self, caller: u32, callee: u32) -> u64 {
        self.ranks.get(&(caller, callee)).copied().unwrap_or_default()
    }

    /// By caller, of which the last one is none: the number of callees, then each of them.
    fn table(&self, frames: u32) -> impl Iterator<Item = u64> {
        (0..=frames).flat_map(|caller| {
            let callees = self.callees.get(&caller).map_or(&[][..], Vec::as_slice);
            std::iter::once(callees.len() as u64).chain(callees.iter().map(|at| u64::from(*at)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: u32, frame: u32, total_nanos: f64) -> PageNode {
        PageNode { depth, frame, timed: 1, total_nanos, ..PageNode::default() }
    }

    #[test]
    fn the_costliest_child_comes_first_with_its_callees() {
        let nodes =
            [node(0, 9, 10.0), node(1, 1, 2.0), node(2, 3, 1.0), node(1, 2, 8.0), node(2, 3, 7.0)];
        let order = by_cost(&nodes, &[]);
        assert_eq!(order, [0, 3, 4, 1, 2]);
        let sorted = order.iter().map(|at| &nodes[*at as usize]);
        assert_eq!(closed(sorted).collect::<Vec<_>>(), [0, 0, 0, 2, 0]);
        assert_eq!(callers(&nodes, &order, 10), [10, 9, 2, 9, 1]);
    }

    #[test]
    fn frequent_callees_have_low_ranks() {
        let ranks = Ranks::new([(0, 5), (0, 6), (0, 6), (2, 5)].into_iter());
        assert_eq!([(0, 6), (0, 5), (2, 5)].map(|(of, to)| ranks.rank(of, to)), [0, 1, 0]);
        assert_eq!(ranks.table(2).collect::<Vec<_>>(), [2, 6, 5, 0, 1, 5]);
    }
}
