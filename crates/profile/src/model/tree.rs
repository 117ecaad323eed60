//! The calling context tree of a finished profile: columns in preorder.

mod counted_callees;
mod merge;

use jfathom_plan::Problem;
use std::ops::Range;

use self::counted_callees::counted_callees;
use crate::model::columns::Columns;
use crate::model::metric::{Metric, PerMetric, Unit};
use crate::model::node_events::NodeEvents;
use crate::model::packed_numbers::PackedNumbers;
use crate::{Bytes, Frame, NodeEvent, NodeIx, NodeNumbers, OffCpu, Ticks, both};
pub use merge::MergedFrom;

/// A calling context tree: a forest whose roots are threads (after a merge of threads: methods and
/// tasks). Nodes are in preorder: the descendants of a node follow it without a gap. Children are
/// in the order of their first call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    columns: Columns,
    /// One past the last descendant.
    ends: Vec<u32>,
    /// By metric that has totals: the sums of each node and its descendants; empty if all zero.
    totals: PerMetric<PackedNumbers>,
    /// [`Tree::counted_callees`]; empty if all zero.
    counted_callees: PackedNumbers,
}

/// Whether a node's time is that of the node above: it has no timed calls, and is a method's.
fn has_callers_time(frame: u32, depth: u32, timed: u64, self_ticks: u64) -> bool {
    let is_method = matches!(Frame::unpack(frame), Some(Frame::Method(_)));
    is_method && depth > 0 && timed == 0 && self_ticks == 0
}

/// One past the last descendant of each node.
fn ends(depths: &[u32]) -> Vec<u32> {
    let mut ends = vec![0; depths.len()];
    let mut path: Vec<usize> = Vec::new();
    let mut close = |path: &mut Vec<usize>, depth: usize, at: usize| {
        path.drain(depth.min(path.len())..).for_each(|node| ends[node] = at as u32);
    };
    for (node, depth) in depths.iter().enumerate() {
        close(&mut path, *depth as usize, node);
        path.push(node);
    }
    close(&mut path, 0, depths.len());
    ends
}

/// The sum of the numbers of each node and its descendants. Sums saturate.
fn totals(depths: &[u32], numbers: &PackedNumbers) -> PackedNumbers {
    PackedNumbers::filled(depths.len(), |set| {
        // Node and sum, by depth.
        let mut path: Vec<(usize, u64)> = Vec::new();
        let mut close = |path: &mut Vec<(usize, u64)>, depth: usize| {
            while path.len() > depth {
                let Some((node, total)) = path.pop() else { break };
                set(node, total);
                if let Some((_, sum)) = path.last_mut() {
                    *sum = sum.saturating_add(total);
                }
            }
        };
        for (node, (depth, number)) in depths.iter().zip(numbers.iter()).enumerate() {
            close(&mut path, *depth as usize);
            path.push((node, number));
        }
        close(&mut path, 0);
    })
}

/// As [`totals`]; empty if the numbers are, or if the metric has none.
fn totals_of(metric: Metric, columns: &Columns) -> PackedNumbers {
    let numbers = &columns.numbers[metric];
    match numbers.is_empty() || !metric.info().has_total {
        true => PackedNumbers::default(),
        false => totals(&columns.depths, numbers),
    }
}

/// Nodes that are worth a second thread.
const PARALLEL_NODES: usize = 1 << 16;

impl Tree {
    /// Builds a tree from columns, and checks them. An error names a contradiction.
    pub(crate) fn new(columns: Columns) -> Result<Self, Problem> {
        columns.check()?;
        Ok(Self::from_preorder(columns))
    }

    /// Builds the tree of columns that are known to be sound: of equal length, in preorder, with
    /// frames that unpack.
    pub(crate) fn from_preorder(mut columns: Columns) -> Self {
        columns.complete();
        let counted_callees = counted_callees(&columns);
        let times = || totals_of(Metric::SelfTime, &columns);
        let (ends, mut times) = match columns.len() < PARALLEL_NODES {
            true => (ends(&columns.depths), times()),
            false => both(|| ends(&columns.depths), times),
        };
        let totals = PerMetric::new(|metric| match metric {
            Metric::SelfTime => std::mem::take(&mut times),
            _ => totals_of(metric, &columns),
        });
        Self { columns, ends, totals, counted_callees }
    }

    /// The same tree with other frames and times. Roots stay threads without self time.
    pub fn map(self, frame: impl Fn(Frame) -> Frame, time: impl Fn(Ticks) -> Ticks) -> Self {
        let mut columns = self.columns;
        for packed in &mut columns.frames {
            let unpacked = Frame::unpack(*packed).expect("frames are checked when a tree is made");
            *packed = frame(unpacked).pack();
        }
        for (_, column) in columns.numbers.iter_mut().filter(|of| of.0.info().unit == Unit::Ticks) {
            *column = column.iter().map(|ticks| time(Ticks(ticks)).0).collect();
        }
        columns.events.map_times(time);
        Self::from_preorder(columns)
    }

    /// The tree of the nodes to which `numbers` gives numbers, with these, and the places that they
    /// have in this tree. A node without numbers is left out with its descendants.
    pub fn retain(
        &self,
        numbers: impl FnMut(NodeIx) -> Option<NodeNumbers>,
    ) -> (Self, Vec<NodeIx>) {
        self.retain_with(numbers, |node| node.0..node.0 + 1)
    }

    /// As [`Tree::retain`]; a node that stays has the events of the nodes that `events` gives it.
    pub fn retain_with(
        &self,
        mut numbers: impl FnMut(NodeIx) -> Option<NodeNumbers>,
        events: impl Fn(NodeIx) -> Range<u32>,
    ) -> (Self, Vec<NodeIx>) {
        let mut columns = Columns::default();
        let mut kept = Vec::new();
        let mut next = 0;
        while let Some(end) = self.ends.get(next as usize) {
            let node = NodeIx(next);
            let Some(numbers) = numbers(node) else {
                next = *end;
                continue;
            };
            columns.push(self.columns.frames[next as usize], self.depth(node), &numbers);
            let of_node = self.columns.events.of(events(node)).iter();
            columns.events.push_sums(kept.len() as u32, of_node);
            kept.push(node);
            next += 1;
        }
        (Self::from_preorder(columns), kept)
    }

    /// The trees one after another.
    pub fn concat(trees: Vec<Self>) -> Self {
        let mut trees = trees.into_iter();
        let Some(first) = trees.next() else { return Self::default() };
        if trees.len() == 0 {
            return first;
        }
        let mut all = first.columns;
        for Self { columns, .. } in trees {
            all.copy_rows(&columns, 0..columns.len(), |depth| depth);
        }
        Self::from_preorder(all)
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Sets a metric's numbers, by node. An error names a contradiction.
    pub(crate) fn set(&mut self, metric: Metric, column: PackedNumbers) -> Result<(), Problem> {
        self.columns.check_column(metric, &column)?;
        self.columns.numbers[metric] =
            if column.is_zero() { PackedNumbers::default() } else { column };
        self.totals[metric] = totals_of(metric, &self.columns);
        Ok(())
    }

    /// Sets the events of all nodes, which must be this tree's.
    pub(crate) fn set_events(&mut self, events: NodeEvents) {
        self.columns.events = events;
    }

    /// The events of all nodes, ascending by node and name.
    pub fn all_events(&self) -> &[NodeEvent] {
        self.columns.events.all()
    }

    /// What the JVM told of threads while the node was on top of their stacks, by name.
    pub fn events(&self, node: NodeIx) -> &[NodeEvent] {
        self.columns.events.of(node.0..node.0.saturating_add(1))
    }

    /// The same of a node and its descendants, by node and name.
    pub fn total_events(&self, node: NodeIx) -> &[NodeEvent] {
        self.columns.events.of(self.subtree(node))
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All nodes in preorder.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeIx> + use<> {
        (0..self.len() as u32).map(NodeIx)
    }

    /// The frame of a node. Like all accessors, it panics if the node is not of this tree.
    #[inline]
    pub fn frame(&self, node: NodeIx) -> Frame {
        let packed = self.columns.frames[node.0 as usize];
        Frame::unpack(packed).expect("frames are checked when a tree is made")
    }

    /// Number of ancestors.
    #[inline]
    pub fn depth(&self, node: NodeIx) -> u32 {
        self.columns.depths[node.0 as usize]
    }

    /// All calls along this path, timed and counted; for a thread 1.
    #[inline]
    pub fn calls(&self, node: NodeIx) -> u64 {
        self.timed(node).saturating_add(self.counted(node))
    }

    /// A number of the node itself.
    #[inline]
    pub fn number(&self, metric: Metric, node: NodeIx) -> u64 {
        self.columns.number(metric, node.0 as usize)
    }

    /// The sum of the numbers of a node and its descendants, if the metric has totals.
    #[inline]
    pub fn total(&self, metric: Metric, node: NodeIx) -> u64 {
        self.totals[metric].get(node.0 as usize).unwrap_or(0)
    }

    /// Whether any node has a number of a metric.
    pub fn has(&self, metric: Metric) -> bool {
        !self.columns.numbers[metric].is_empty()
    }

    /// All numbers of the node itself.
    #[inline]
    pub fn numbers(&self, node: NodeIx) -> NodeNumbers {
        PerMetric::new(|metric| self.number(metric, node))
    }

    /// Those of the node and its descendants, of metrics that have totals.
    pub fn totals(&self, node: NodeIx) -> NodeNumbers {
        PerMetric::new(|metric| self.total(metric, node))
    }

    /// [`Metric::Timed`].
    #[inline]
    pub fn timed(&self, node: NodeIx) -> u64 {
        self.number(Metric::Timed, node)
    }

    /// Whether what the node does itself is time of the node above: it has no timed calls, and is
    /// no thread or task. What it calls may have time.
    #[inline]
    pub fn has_callers_time(&self, node: NodeIx) -> bool {
        let at = node.0 as usize;
        let Columns { frames, depths, .. } = &self.columns;
        let place = frames.get(at).zip(depths.get(at));
        place.is_some_and(|(frame, depth)| {
            has_callers_time(*frame, *depth, self.timed(node), self.self_time(node).0)
        })
    }

    /// [`Metric::Counted`].
    #[inline]
    pub fn counted(&self, node: NodeIx) -> u64 {
        self.number(Metric::Counted, node)
    }

    /// Calls that were counted in the node's time. Those of unflushed calls are above: of
    /// them this is an estimate.
    #[inline]
    pub fn counted_callees(&self, node: NodeIx) -> u64 {
        self.counted_callees.get(node.0 as usize).unwrap_or(0)
    }

    /// The summary nodes.
    pub fn summary_nodes(&self) -> impl Iterator<Item = NodeIx> {
        self.summary_nodes_in(0..self.len() as u32)
    }

    /// The summary nodes among these.
    pub fn summary_nodes_in(&self, nodes: Range<u32>) -> impl Iterator<Item = NodeIx> {
        let nodes = if self.has(Metric::Folded) { nodes } else { 0..0 };
        nodes.map(NodeIx).filter(|node| self.number(Metric::Folded, *node) != 0)
    }

    /// [`Metric::Longest`].
    #[inline]
    pub fn longest(&self, node: NodeIx) -> Ticks {
        Ticks(self.number(Metric::Longest, node))
    }

    /// [`Metric::Parked`].
    pub fn parked(&self, node: NodeIx) -> Ticks {
        Ticks(self.number(Metric::Parked, node))
    }

    /// How much of the total time virtual threads were parked.
    pub fn total_parked(&self, node: NodeIx) -> Ticks {
        Ticks(self.total(Metric::Parked, node))
    }

    /// [`Metric::Allocated`].
    pub fn allocated(&self, node: NodeIx) -> Bytes {
        Bytes(self.number(Metric::Allocated, node))
    }

    /// Bytes that threads have allocated in the node and its descendants.
    pub fn total_allocated(&self, node: NodeIx) -> Bytes {
        Bytes(self.total(Metric::Allocated, node))
    }

    /// How much of the self time threads had no processor.
    pub fn off_cpu(&self, node: NodeIx) -> OffCpu {
        self.numbers(node).off_cpu()
    }

    /// How much of the total time threads had no processor.
    pub fn total_off_cpu(&self, node: NodeIx) -> OffCpu {
        self.totals(node).off_cpu()
    }

    /// Self time. Zero for a thread: [`crate::Thread::unattributed`] has its time outside recorded
    /// methods.
    #[inline]
    pub fn self_time(&self, node: NodeIx) -> Ticks {
        Ticks(self.number(Metric::SelfTime, node))
    }

    /// Total time: self time of the node and its descendants.
    #[inline]
    pub fn total_time(&self, node: NodeIx) -> Ticks {
        Ticks(self.total(Metric::SelfTime, node))
    }

    /// `node` and its descendants, in preorder.
    #[inline]
    pub fn subtree(&self, node: NodeIx) -> Range<u32> {
        node.0..self.ends[node.0 as usize]
    }

    /// The roots.
    pub fn roots(&self) -> Siblings<'_> {
        Siblings { tree: self, next: 0, end: self.len() as u32 }
    }

    /// The children of `node`.
    pub fn children(&self, node: NodeIx) -> Siblings<'_> {
        Siblings { tree: self, next: node.0 + 1, end: self.ends[node.0 as usize] }
    }
}

/// Iterator over the children of one node.
#[derive(Clone, Debug)]
pub struct Siblings<'a> {
    tree: &'a Tree,
    next: u32,
    end: u32,
}

impl Iterator for Siblings<'_> {
    type Item = NodeIx;

    fn next(&mut self) -> Option<NodeIx> {
        let node = (self.next < self.end).then_some(NodeIx(self.next))?;
        self.next = self.tree.ends[node.0 as usize];
        Some(node)
    }
}
