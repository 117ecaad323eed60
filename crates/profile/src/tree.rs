//! The calling context tree of a finished profile: columns in preorder.

mod counted_callees;
mod merge;

use std::ops::Range;

use self::counted_callees::counted_callees;
use crate::column::Column;
use crate::columns::Columns;
use crate::node_events::NodeEvents;
use crate::{Bytes, Frame, NodeEvent, NodeIx, NodeNumbers, OffCpu, Ticks, both};
pub use merge::MergedFrom;

/// A calling context tree: a forest whose roots are threads (after a merge of threads: methods and
/// tasks). Nodes are in preorder: the descendants of a node follow it without a gap. Children are
/// in the order of their first call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    frames: Vec<u32>,
    depths: Vec<u32>,
    timed: Column,
    self_ticks: Column,
    /// Empty if all zero.
    counted: Column,
    /// Empty if all zero.
    count_records: Column,
    /// Empty if all zero.
    unflushed: Column,
    /// Empty if all zero.
    throws: Column,
    /// Empty if all zero.
    longest: Column,
    /// Empty if all zero.
    folded: Column,
    /// Empty if all zero.
    calls_beside: Column,
    /// Empty if all zero.
    parked: Column,
    /// Empty if all zero.
    allocated: Column,
    /// The parts of [`NodeNumbers::off_cpu`]; each empty if all zero.
    off_cpu: [Column; 4],
    events: NodeEvents,
    /// One past the last descendant.
    ends: Vec<u32>,
    total_ticks: Column,
    /// [`Tree::counted_callees`]; empty if all zero.
    counted_callees: Column,
    /// [`NodeNumbers::parked`] of each node and its descendants; empty if all zero.
    total_parked: Column,
    /// [`NodeNumbers::allocated`] of each node and its descendants; empty if all zero.
    total_allocated: Column,
    /// [`NodeNumbers::off_cpu`] of each node and its descendants; each part empty if all zero.
    total_off_cpu: [Column; 4],
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
fn totals(depths: &[u32], numbers: &Column) -> Column {
    Column::filled(depths.len(), |set| {
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

/// As [`totals`]; empty if the numbers are.
fn totals_of_some(depths: &[u32], numbers: &Column) -> Column {
    if numbers.is_empty() { Column::default() } else { totals(depths, numbers) }
}

/// Nodes that are worth a second thread.
const PARALLEL_NODES: usize = 1 << 16;

impl Tree {
    /// Builds a tree from columns, and checks them. An error names a contradiction.
    pub(crate) fn new(columns: Columns) -> Result<Self, String> {
        let Columns { frames, depths, timed, self_ticks, counted, count_records, throws, .. } =
            &columns;
        let Columns {
            unflushed, longest, folded, calls_beside, parked, allocated, off_cpu, ..
        } = &columns;
        let len = frames.len();
        if u32::try_from(len).is_err() || [depths.len(), timed.len(), self_ticks.len()] != [len; 3]
        {
            return Err(format!(
                "tree columns of unequal length: {len}, {}, {}",
                depths.len(),
                timed.len()
            ));
        }
        if [
            counted,
            count_records,
            unflushed,
            throws,
            longest,
            folded,
            calls_beside,
            parked,
            allocated,
        ]
        .into_iter()
        .chain(off_cpu)
        .any(|column| !column.is_empty() && column.len() != len)
        {
            return Err(format!(
                "tree columns of unequal length: {len}, {}, {}",
                counted.len(),
                throws.len()
            ));
        }
        if let Some(node) =
            unflushed.iter().zip(timed.iter()).position(|(unflushed, timed)| unflushed > timed)
        {
            return Err(format!("node {node} has more unflushed calls than timed ones"));
        }
        if let Some(node) =
            throws.iter().zip(timed.iter()).position(|(throws, timed)| throws > timed)
        {
            return Err(format!("node {node} has more exceptions than timed calls"));
        }
        if let Some(frame) = frames.iter().find(|frame| Frame::unpack(**frame).is_none()) {
            return Err(format!("frame {frame:#x}"));
        }
        let mut path_length = 0;
        for (node, depth) in depths.iter().enumerate() {
            if *depth > path_length {
                return Err(format!(
                    "node {node} of depth {depth} below one of depth {path_length}"
                ));
            }
            path_length = *depth + 1;
        }
        Ok(Self::from_preorder(columns))
    }

    /// Builds the tree of columns that are known to be sound: of equal length, in preorder, with
    /// frames that unpack.
    pub(crate) fn from_preorder(mut columns: Columns) -> Self {
        columns.complete();
        let counted_callees = counted_callees(&columns);
        let Columns { frames, depths, timed, self_ticks, counted, count_records, .. } = columns;
        let Columns { unflushed, throws, longest, folded, calls_beside, parked, .. } = columns;
        let Columns { allocated, off_cpu, events, .. } = columns;
        let (ends, total_ticks) = if depths.len() < PARALLEL_NODES {
            (ends(&depths), totals(&depths, &self_ticks))
        } else {
            both(|| ends(&depths), || totals(&depths, &self_ticks))
        };
        let total_parked = totals_of_some(&depths, &parked);
        let total_allocated = totals_of_some(&depths, &allocated);
        let total_off_cpu = off_cpu.each_ref().map(|part| totals_of_some(&depths, part));
        Self {
            frames,
            depths,
            timed,
            self_ticks,
            counted,
            count_records,
            unflushed,
            throws,
            longest,
            folded,
            calls_beside,
            parked,
            allocated,
            off_cpu,
            events,
            ends,
            total_ticks,
            counted_callees,
            total_parked,
            total_allocated,
            total_off_cpu,
        }
    }

    /// The same tree with other frames and times. Roots stay threads without self time.
    pub fn map(self, frame: impl Fn(Frame) -> Frame, time: impl Fn(Ticks) -> Ticks) -> Self {
        let mut columns = self.into_columns();
        for packed in &mut columns.frames {
            let unpacked = Frame::unpack(*packed).expect("frames are checked when a tree is made");
            *packed = frame(unpacked).pack();
        }
        let times = columns.self_ticks.iter().map(|ticks| time(Ticks(ticks)).0);
        columns.self_ticks = times.collect();
        let longest = columns.longest.iter().map(|ticks| time(Ticks(ticks)).0);
        columns.longest = longest.collect();
        let parked = columns.parked.iter().map(|ticks| time(Ticks(ticks)).0);
        columns.parked = parked.collect();
        for part in columns.off_cpu.iter_mut().take(OffCpu::TIMES) {
            *part = part.iter().map(|ticks| time(Ticks(ticks)).0).collect();
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
            columns.push(self.frames[next as usize], self.depth(node), &numbers);
            let of_node = self.events.of(events(node)).iter();
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
        let mut all = first.into_columns();
        for tree in trees {
            all.append(&tree.into_columns());
        }
        Self::from_preorder(all)
    }

    fn into_columns(self) -> Columns {
        let Self { frames, depths, timed, self_ticks, counted, count_records, .. } = self;
        let Self { throws, longest, folded, calls_beside, parked, allocated, off_cpu, .. } = self;
        let Self { unflushed, events, .. } = self;
        Columns {
            frames,
            depths,
            timed,
            self_ticks,
            counted,
            count_records,
            unflushed,
            throws,
            longest,
            folded,
            calls_beside,
            parked,
            allocated,
            off_cpu,
            events,
        }
    }

    pub(crate) fn columns(&self) -> Columns {
        Columns {
            frames: self.frames.clone(),
            depths: self.depths.clone(),
            timed: self.timed.clone(),
            self_ticks: self.self_ticks.clone(),
            counted: self.counted.clone(),
            count_records: self.count_records.clone(),
            unflushed: self.unflushed.clone(),
            throws: self.throws.clone(),
            longest: self.longest.clone(),
            folded: self.folded.clone(),
            calls_beside: self.calls_beside.clone(),
            parked: self.parked.clone(),
            allocated: self.allocated.clone(),
            off_cpu: self.off_cpu.clone(),
            events: self.events.clone(),
        }
    }

    /// The longest calls by node; empty if none is known.
    pub(crate) fn longest_calls(&self) -> &Column {
        &self.longest
    }

    /// Sets the longest calls. An error says that there are not as many as nodes.
    pub(crate) fn set_longest_calls(&mut self, longest: Column) -> Result<(), String> {
        if !longest.is_empty() && longest.len() != self.len() {
            return Err(format!("{} longest calls of {} nodes", longest.len(), self.len()));
        }
        self.longest = longest;
        Ok(())
    }

    /// Sets what was folded, by node: [`NodeNumbers::folded`] and [`NodeNumbers::calls_beside`]. An
    /// error says that there are not as many as nodes.
    pub(crate) fn set_folded(&mut self, folded: Column, beside: Column) -> Result<(), String> {
        for column in [&folded, &beside] {
            if !column.is_empty() && column.len() != self.len() {
                return Err(format!("{} folded of {} nodes", column.len(), self.len()));
            }
        }
        (self.folded, self.calls_beside) = (folded, beside);
        Ok(())
    }

    /// Sets [`NodeNumbers::parked`], by node. An error names a contradiction.
    pub(crate) fn set_parked(&mut self, parked: Column) -> Result<(), String> {
        if !parked.is_empty() && parked.len() != self.len() {
            return Err(format!("{} parked times of {} nodes", parked.len(), self.len()));
        }
        let wrong =
            parked.iter().zip(self.self_ticks.iter()).position(|(parked, ticks)| parked > ticks);
        if let Some(node) = wrong {
            return Err(format!("node {node} was parked for longer than its self time"));
        }
        self.total_parked = totals_of_some(&self.depths, &parked);
        self.parked = parked;
        Ok(())
    }

    /// Sets [`NodeNumbers::allocated`], by node. An error names a contradiction.
    pub(crate) fn set_allocated(&mut self, allocated: Column) -> Result<(), String> {
        if !allocated.is_empty() && allocated.len() != self.len() {
            return Err(format!("{} allocated bytes of {} nodes", allocated.len(), self.len()));
        }
        self.total_allocated = totals_of_some(&self.depths, &allocated);
        self.allocated = allocated;
        Ok(())
    }

    /// Sets [`NodeNumbers::off_cpu`] by its parts, by node. An error names a contradiction.
    pub(crate) fn set_off_cpu(&mut self, parts: [Column; 4]) -> Result<(), String> {
        for (at, part) in parts.iter().enumerate() {
            if !part.is_empty() && part.len() != self.len() {
                return Err(format!("{} times without a processor of {}", part.len(), self.len()));
            }
            // Each for itself: rounding may have made their sum longer by some ticks.
            let wrong = part.iter().zip(self.self_ticks.iter()).position(|(part, own)| part > own);
            if let Some(node) = wrong.filter(|_| at < OffCpu::TIMES) {
                return Err(format!("node {node} was off the processor beyond its self time"));
            }
        }
        self.total_off_cpu = parts.each_ref().map(|part| totals_of_some(&self.depths, part));
        self.off_cpu = parts;
        Ok(())
    }

    /// Sets the events of all nodes, which must be this tree's.
    pub(crate) fn set_events(&mut self, events: NodeEvents) {
        self.events = events;
    }

    /// The events of all nodes, ascending by node and name.
    pub fn all_events(&self) -> &[NodeEvent] {
        self.events.all()
    }

    /// What the JVM told of threads while the node was on top of their stacks, by name.
    pub fn events(&self, node: NodeIx) -> &[NodeEvent] {
        self.events.of(node.0..node.0.saturating_add(1))
    }

    /// The same of a node and its descendants, by node and name.
    pub fn total_events(&self, node: NodeIx) -> &[NodeEvent] {
        self.events.of(self.subtree(node))
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// All nodes in preorder.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeIx> + use<> {
        (0..self.frames.len() as u32).map(NodeIx)
    }

    /// The frame of a node. Like all accessors, it panics if the node is not of this tree.
    #[inline]
    pub fn frame(&self, node: NodeIx) -> Frame {
        Frame::unpack(self.frames[node.0 as usize]).expect("frames are checked when a tree is made")
    }

    /// Number of ancestors.
    #[inline]
    pub fn depth(&self, node: NodeIx) -> u32 {
        self.depths[node.0 as usize]
    }

    /// All calls along this path, timed and counted; for a thread 1.
    #[inline]
    pub fn calls(&self, node: NodeIx) -> u64 {
        self.timed(node).saturating_add(self.counted(node))
    }

    /// Timed calls along this path; for a thread 1.
    #[inline]
    pub fn timed(&self, node: NodeIx) -> u64 {
        self.timed.get(node.0 as usize).expect("the node is of this tree")
    }

    /// Whether what the node does itself is time of the node above: it has no timed calls, and is
    /// no thread or task. What it calls may have time.
    #[inline]
    pub fn has_callers_time(&self, node: NodeIx) -> bool {
        let at = node.0 as usize;
        let [frame, depth] = [&self.frames, &self.depths].map(|of| of.get(at).copied());
        let own = self.self_ticks.get(at).unwrap_or(0);
        frame
            .zip(depth)
            .is_some_and(|(frame, depth)| has_callers_time(frame, depth, self.timed(node), own))
    }

    /// Counted calls along this path. They have no time.
    #[inline]
    pub fn counted(&self, node: NodeIx) -> u64 {
        self.counted.get(node.0 as usize).unwrap_or(0)
    }

    /// Calls that were counted in the node's time. Those of unflushed calls are above: of
    /// them this is an estimate.
    #[inline]
    pub fn counted_callees(&self, node: NodeIx) -> u64 {
        self.counted_callees.get(node.0 as usize).unwrap_or(0)
    }

    /// COUNTED records of calls from the node. Each one took some time in it.
    #[inline]
    pub fn count_records(&self, node: NodeIx) -> u64 {
        self.count_records.get(node.0 as usize).unwrap_or(0)
    }

    /// Timed calls along this path whose counted calls stand below a node above.
    #[inline]
    pub fn unflushed(&self, node: NodeIx) -> u64 {
        self.unflushed.get(node.0 as usize).unwrap_or(0)
    }

    /// Timed calls along this path that ended by an exception, without inferred exits.
    #[inline]
    pub fn throws(&self, node: NodeIx) -> u64 {
        self.throws.get(node.0 as usize).unwrap_or(0)
    }

    /// All numbers of the node except its total time.
    #[inline]
    pub fn numbers(&self, node: NodeIx) -> NodeNumbers {
        NodeNumbers {
            timed: self.timed(node),
            self_time: self.self_time(node),
            counted: self.counted(node),
            count_records: self.count_records(node),
            unflushed: self.unflushed(node),
            throws: self.throws(node),
            longest: self.longest(node),
            folded: self.folded(node),
            calls_beside: self.calls_beside(node),
            parked: self.parked(node),
            allocated: self.allocated(node),
            off_cpu: self.off_cpu(node),
        }
    }

    /// Nodes that a summary node stands for; zero for any other node ([`NodeNumbers::folded`]).
    #[inline]
    pub fn folded(&self, node: NodeIx) -> u64 {
        self.folded.get(node.0 as usize).unwrap_or(0)
    }

    /// See [`NodeNumbers::calls_beside`].
    #[inline]
    pub fn calls_beside(&self, node: NodeIx) -> u64 {
        self.calls_beside.get(node.0 as usize).unwrap_or(0)
    }

    /// How much of the self time virtual threads were parked.
    #[inline]
    pub fn parked(&self, node: NodeIx) -> Ticks {
        Ticks(self.parked.get(node.0 as usize).unwrap_or(0))
    }

    /// How much of the total time virtual threads were parked.
    #[inline]
    pub fn total_parked(&self, node: NodeIx) -> Ticks {
        Ticks(self.total_parked.get(node.0 as usize).unwrap_or(0))
    }

    /// Whether virtual threads were parked in any node.
    pub fn has_parked(&self) -> bool {
        !self.parked.is_empty()
    }

    /// Bytes that threads have allocated in the node itself.
    #[inline]
    pub fn allocated(&self, node: NodeIx) -> Bytes {
        Bytes(self.allocated.get(node.0 as usize).unwrap_or(0))
    }

    /// Bytes that threads have allocated in the node and its descendants.
    #[inline]
    pub fn total_allocated(&self, node: NodeIx) -> Bytes {
        Bytes(self.total_allocated.get(node.0 as usize).unwrap_or(0))
    }

    /// Whether any node has allocated bytes.
    pub fn has_allocated(&self) -> bool {
        !self.allocated.is_empty()
    }

    /// How much of the self time threads had no processor.
    #[inline]
    pub fn off_cpu(&self, node: NodeIx) -> OffCpu {
        let part = |part: &Column| part.get(node.0 as usize).unwrap_or(0);
        OffCpu::of_parts(self.off_cpu.each_ref().map(part))
    }

    /// How much of the total time threads had no processor.
    #[inline]
    pub fn total_off_cpu(&self, node: NodeIx) -> OffCpu {
        let part = |part: &Column| part.get(node.0 as usize).unwrap_or(0);
        OffCpu::of_parts(self.total_off_cpu.each_ref().map(part))
    }

    /// The summary nodes.
    pub fn summary_nodes(&self) -> impl Iterator<Item = NodeIx> {
        self.summary_nodes_in(0..self.len() as u32)
    }

    /// The summary nodes among these.
    pub fn summary_nodes_in(&self, nodes: Range<u32>) -> impl Iterator<Item = NodeIx> {
        let nodes = if self.folded.is_empty() { 0..0 } else { nodes };
        nodes.map(NodeIx).filter(|node| self.folded(*node) != 0)
    }

    /// The longest timed call along this path that ended; zero if that is not known.
    #[inline]
    pub fn longest(&self, node: NodeIx) -> Ticks {
        Ticks(self.longest.get(node.0 as usize).unwrap_or(0))
    }

    /// Self time. Zero for a thread: [`crate::Thread::unattributed`] has its time outside recorded
    /// methods.
    #[inline]
    pub fn self_time(&self, node: NodeIx) -> Ticks {
        Ticks(self.self_ticks.get(node.0 as usize).expect("the node is of this tree"))
    }

    /// Total time: self time of the node and its descendants.
    #[inline]
    pub fn total_time(&self, node: NodeIx) -> Ticks {
        Ticks(self.total_ticks.get(node.0 as usize).expect("the node is of this tree"))
    }

    /// `node` and its descendants, in preorder.
    #[inline]
    pub fn subtree(&self, node: NodeIx) -> Range<u32> {
        node.0..self.ends[node.0 as usize]
    }

    /// The roots.
    pub fn roots(&self) -> Siblings<'_> {
        Siblings { tree: self, next: 0, end: self.frames.len() as u32 }
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
