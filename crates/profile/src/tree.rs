//! The calling context tree of a finished profile: columns in preorder.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Frame, NodeIx, Ticks};

/// A forest of call paths. Nodes stand in preorder: each node comes before its descendants, which
/// follow without a gap, and children stand in the order of their first call. The roots are threads
/// (after a merge of threads: methods and tasks).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    frames: Vec<u32>,
    depths: Vec<u32>,
    calls: Vec<u64>,
    self_ticks: Vec<Ticks>,
    /// Empty where no node has any.
    counted: Vec<u64>,
    /// Empty where no node has any.
    notes: Vec<u64>,
    /// Empty where no node has any.
    throws: Vec<u64>,
    /// One past the last descendant.
    ends: Vec<u32>,
    total_ticks: Vec<Ticks>,
}

/// The numbers of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeNumbers {
    /// Timed calls along the node's path; for a thread 1.
    pub calls: u64,
    /// Time in the node itself.
    pub self_time: Ticks,
    /// Counted calls that were made directly from the node.
    pub counted: u64,
    /// COUNTED records of those.
    pub notes: u64,
    /// The node's calls that ended by an exception.
    pub throws: u64,
}

impl NodeNumbers {
    /// Adds the numbers of another node; sums stop at the largest value.
    pub fn add(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.self_time += other.self_time;
        self.counted = self.counted.saturating_add(other.counted);
        self.notes = self.notes.saturating_add(other.notes);
        self.throws = self.throws.saturating_add(other.throws);
    }
}

/// The columns of a tree that cannot be derived from others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Columns {
    pub frames: Vec<u32>,
    pub depths: Vec<u32>,
    pub calls: Vec<u64>,
    pub self_ticks: Vec<Ticks>,
    /// As long as the others, or empty for all zero.
    pub counted: Vec<u64>,
    /// As long as the others, or empty for all zero.
    pub notes: Vec<u64>,
    /// As long as the others, or empty for all zero.
    pub throws: Vec<u64>,
}

impl Columns {
    pub fn with_capacity(nodes: usize) -> Self {
        Self {
            frames: Vec::with_capacity(nodes),
            depths: Vec::with_capacity(nodes),
            calls: Vec::with_capacity(nodes),
            self_ticks: Vec::with_capacity(nodes),
            counted: Vec::new(),
            notes: Vec::new(),
            throws: Vec::new(),
        }
    }
}

impl Tree {
    /// Builds the tree of columns, or says what is wrong with them.
    pub(crate) fn new(columns: Columns) -> Result<Self, String> {
        let Columns { frames, depths, calls, self_ticks, counted, notes, throws } = &columns;
        let len = frames.len();
        if u32::try_from(len).is_err() || [depths.len(), calls.len(), self_ticks.len()] != [len; 3]
        {
            return Err(format!(
                "tree columns of unequal length: {len}, {}, {}",
                depths.len(),
                calls.len()
            ));
        }
        if [counted, notes, throws].iter().any(|column| !column.is_empty() && column.len() != len) {
            return Err(format!(
                "tree columns of unequal length: {len}, {}, {}",
                counted.len(),
                throws.len()
            ));
        }
        if let Some(node) = throws.iter().zip(calls).position(|(throws, calls)| throws > calls) {
            return Err(format!("node {node} has more exceptions than calls"));
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
    pub(crate) fn from_preorder(columns: Columns) -> Self {
        let Columns { frames, depths, calls, self_ticks, counted, notes, throws } = columns;
        let len = frames.len();
        let mut ends = vec![0; len];
        let mut total_ticks = self_ticks.clone();
        let mut path: Vec<usize> = Vec::new();
        let mut close = |path: &mut Vec<usize>, depth: usize, at: usize| {
            while path.len() > depth {
                let Some(node) = path.pop() else { break };
                ends[node] = at as u32;
                if let Some(parent) = path.last() {
                    let total = total_ticks[node];
                    total_ticks[*parent] += total;
                }
            }
        };
        for (node, depth) in depths.iter().enumerate() {
            close(&mut path, *depth as usize, node);
            path.push(node);
        }
        close(&mut path, 0, len);
        let some = |column: Vec<u64>| {
            if column.iter().all(|count| *count == 0) { Vec::new() } else { column }
        };
        let [counted, notes, throws] = [counted, notes, throws].map(some);
        Self { frames, depths, calls, self_ticks, counted, notes, throws, ends, total_ticks }
    }

    pub(crate) fn columns(&self) -> Columns {
        Columns {
            frames: self.frames.clone(),
            depths: self.depths.clone(),
            calls: self.calls.clone(),
            self_ticks: self.self_ticks.clone(),
            counted: self.counted.clone(),
            notes: self.notes.clone(),
            throws: self.throws.clone(),
        }
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

    /// What `node` stands for. As all accessors, it panics if `node` is not of this tree.
    pub fn frame(&self, node: NodeIx) -> Frame {
        Frame::unpack(self.frames[node.0 as usize]).expect("frames are checked when a tree is made")
    }

    /// Number of ancestors.
    pub fn depth(&self, node: NodeIx) -> u32 {
        self.depths[node.0 as usize]
    }

    /// Calls that came along this path; for a thread 1.
    pub fn calls(&self, node: NodeIx) -> u64 {
        self.calls[node.0 as usize]
    }

    /// Calls that were made directly from the node and only counted: of methods without a node
    /// here.
    pub fn counted(&self, node: NodeIx) -> u64 {
        self.counted.get(node.0 as usize).copied().unwrap_or(0)
    }

    /// How often the recorder told that calls from the node had been counted: each time took it
    /// some time there.
    pub fn notes(&self, node: NodeIx) -> u64 {
        self.notes.get(node.0 as usize).copied().unwrap_or(0)
    }

    /// How many of the calls along this path ended by an exception, as far as a probe told.
    pub fn throws(&self, node: NodeIx) -> u64 {
        self.throws.get(node.0 as usize).copied().unwrap_or(0)
    }

    /// All numbers of the node, its total time left out.
    pub fn numbers(&self, node: NodeIx) -> NodeNumbers {
        NodeNumbers {
            calls: self.calls(node),
            self_time: self.self_time(node),
            counted: self.counted(node),
            notes: self.notes(node),
            throws: self.throws(node),
        }
    }

    /// Time in the node itself. A thread has none: what it does outside all probes is in
    /// [`crate::Thread::outside`].
    pub fn self_time(&self, node: NodeIx) -> Ticks {
        self.self_ticks[node.0 as usize]
    }

    /// Time in the node and all its descendants.
    pub fn total_time(&self, node: NodeIx) -> Ticks {
        self.total_ticks[node.0 as usize]
    }

    /// `node` and its descendants, in preorder.
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

/// Nodes of one parent.
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
