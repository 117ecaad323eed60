//! The table of call paths.

use crate::{
    cells::{Cells, Rows},
    key::{RunId, count, method_key, nanos},
};
use jfathom_calibration::Times;
use jfathom_compare::COLUMNS;
use jfathom_profile::{Frame, Metric, NodeIx, Profile};
use jfathom_views::Shown;
use std::ops::Range;

/// The nodes of a tree in preorder: below a node stand those from it to its `last`.
pub(crate) struct NodeRows<'a> {
    run: RunId,
    shown: &'a Shown<'a>,
    /// By method.
    keys: Vec<i64>,
    /// By node; −1 for roots.
    parents: Vec<i32>,
    /// By node: the thread at the bottom of its path.
    threads: Vec<i32>,
}

impl<'a> NodeRows<'a> {
    pub fn new(profile: &'a Profile, shown: &'a Shown<'a>) -> Self {
        let tree = &shown.tree;
        let mut path: Vec<i32> = Vec::new();
        let mut thread = -1;
        let (mut parents, mut threads) = (Vec::new(), Vec::new());
        for node in tree.nodes() {
            path.truncate(tree.depth(node) as usize);
            if let Frame::Thread(at) = tree.frame(node) {
                thread = at.0 as i32;
            }
            parents.push(path.last().copied().unwrap_or(-1));
            threads.push(thread);
            path.push(node.0 as i32);
        }
        let keys = profile.methods.iter().map(|method| method_key(&method.info.key)).collect();
        Self { run: RunId::of(profile), shown, keys, parents, threads }
    }

    fn method(&self, node: NodeIx) -> Option<i64> {
        match self.shown.tree.frame(node) {
            Frame::Method(at) | Frame::Task(at) => self.keys.get(at.0 as usize).copied(),
            Frame::Thread(_) => None,
        }
    }

    fn kind(&self, node: NodeIx) -> &'static str {
        match self.shown.tree.frame(node) {
            Frame::Thread(_) => "thread",
            Frame::Task(_) => "task",
            Frame::Method(_) => "method",
        }
    }
}

impl Rows for NodeRows<'_> {
    fn len(&self) -> usize {
        self.parents.len()
    }

    fn columns(&self, rows: Range<usize>) -> Vec<Cells> {
        let Self { shown, .. } = self;
        let tree = &shown.tree;
        let nodes = || rows.clone().map(|at| NodeIx(at as u32));
        // Counted calls have no time: it is their caller's. So has `⋯`. Timed calls may be below.
        let times = |time: fn(Times) -> f64| {
            nodes().map(move |node| {
                shown.has_time(node).then(|| nanos(time(shown.times_or_measured(node))))
            })
        };
        let totals = |time: fn(Times) -> f64| {
            nodes().map(move |node| {
                shown.has_total(node).then(|| nanos(time(shown.times_or_measured(node))))
            })
        };
        let is_corrected = |_: &i64| shown.is_corrected();
        let mut cells = vec![
            Cells::int64s(nodes().map(|_| self.run.0)),
            Cells::int32s(nodes().map(|node| node.0 as i32)),
            Cells::optional_int32s(
                self.parents[rows.clone()].iter().map(|at| Some(*at).filter(|at| *at >= 0)),
            ),
            Cells::int32s(nodes().map(|node| tree.subtree(node).end as i32 - 1)),
            Cells::int32s(nodes().map(|node| tree.depth(node) as i32)),
            Cells::texts(nodes().map(|node| self.kind(node))),
            Cells::optional_int64s(nodes().map(|node| self.method(node))),
            Cells::int32s(self.threads[rows.clone()].iter().copied()),
            Cells::int64s(nodes().map(|node| count(tree.calls(node)))),
            Cells::int64s(nodes().map(|node| count(tree.timed(node)))),
            Cells::int64s(nodes().map(|node| count(tree.number(Metric::Throws, node)))),
            Cells::optional_int64s(times(|times| times.self_nanos)),
            Cells::optional_int64s(
                times(|times| times.self_error_nanos).map(|bar| bar.filter(is_corrected)),
            ),
            Cells::optional_int64s(totals(|times| times.total_nanos)),
            Cells::optional_int64s(
                totals(|times| times.total_error_nanos).map(|bar| bar.filter(is_corrected)),
            ),
        ];
        let of_nodes: Vec<_> = nodes().map(|node| shown.cells(node)).collect();
        for column in &COLUMNS {
            for which in [0, 1] {
                let values = of_nodes.iter().map(|of| column.values(of)[which]);
                cells.push(Cells::optional_int64s(values.map(|of| of.known().map(nanos))));
            }
        }
        cells
    }
}
