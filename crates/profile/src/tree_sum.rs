//! Trees added up node by node: what merges, series and comparisons are made with.

use crate::tree_builder::{NONE, TreeBuilder, columns, preorder};
use crate::{Frame, NodeNumbers, ThreadIx, Tree, frame};

/// A tree under construction. Nodes that have equal frames along their call paths are one node.
#[derive(Clone, Debug, Default)]
pub struct TreeSum(TreeBuilder);

/// Place of a node in a [`TreeSum`]. A later node has a larger place, and no place is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SumNode(u32);

impl SumNode {
    /// The place as an index, from 0.
    pub fn index(self) -> usize {
        // Node 0 of the builder stands for none.
        self.0 as usize - 1
    }
}

impl TreeSum {
    /// The node for `frame` below `parent`, added if it is not there. Without a parent, and with
    /// one that is not of this sum, the node is a root.
    pub fn child(&mut self, parent: Option<SumNode>, frame: Frame) -> SumNode {
        let parent = self.parent(parent);
        SumNode(self.0.child(parent, frame.pack()))
    }

    /// A root for a thread, without a look for one that is there: `thread` must be new to the sum.
    pub fn add_thread(&mut self, thread: ThreadIx) -> SumNode {
        SumNode(self.0.add(NONE, Frame::Thread(thread).pack()))
    }

    fn parent(&self, parent: Option<SumNode>) -> u32 {
        match parent {
            Some(SumNode(node)) if (node as usize) < self.0.nodes.len() => node,
            _ => NONE,
        }
    }

    /// Adds to the numbers of a node; sums stop at the largest value. Does nothing for a node of
    /// another sum.
    pub fn add(&mut self, node: SumNode, numbers: &NodeNumbers) {
        let Some(to) = self.0.nodes.get_mut(node.0 as usize) else { return };
        to.calls = to.calls.saturating_add(numbers.calls);
        to.self_ticks = to.self_ticks.saturating_add(numbers.self_time.0);
        if numbers.counted | numbers.notes | numbers.throws != 0 {
            let to = self.0.extra_mut(node.0);
            to.counted = to.counted.saturating_add(numbers.counted);
            to.notes = to.notes.saturating_add(numbers.notes);
            to.throws = to.throws.saturating_add(numbers.throws);
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.0.nodes.len() - 1
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes in preorder, children in the order in which they were added.
    pub fn preorder(&self) -> Vec<SumNode> {
        preorder(&self.0).into_iter().map(|(node, _)| SumNode(node)).collect()
    }

    /// The sum as a tree, in the order of [`TreeSum::preorder`]. Threads have no self time.
    pub fn tree(&self) -> Tree {
        Tree::from_preorder(columns(&self.0, |frame| frame))
    }
}

impl Frame {
    fn pack(self) -> u32 {
        match self {
            Self::Thread(thread) => frame::pack(frame::THREAD, thread.0),
            Self::Method(method) => frame::pack(frame::METHOD, method.0),
            Self::Task(method) => frame::pack(frame::TASK, method.0),
        }
    }
}
