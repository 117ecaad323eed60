//! Sums of trees, for merges, run series and comparisons.

use crate::build::tree_builder::{NONE, NodeExtra, TreeBuilder, columns, preorder};
use crate::{EventSum, Frame, Metric, NodeEvent, NodeNumbers, ThreadIx, Ticks, Tree};

/// A sum of trees. Nodes with equal call paths are one node.
#[derive(Clone, Debug, Default)]
pub struct TreeSum(TreeBuilder);

/// Number of a node in a [`TreeSum`], in the order of addition, without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SumNode(u32);

impl SumNode {
    /// The number as an index, from 0.
    pub fn index(self) -> usize {
        // Node 0 of the builder is `NONE`.
        self.0 as usize - 1
    }
}

impl TreeSum {
    /// The child of `parent` for `frame`, added if it is missing. Without a parent, or with one of
    /// another sum, the node is a root.
    pub fn child(&mut self, parent: Option<SumNode>, frame: Frame) -> SumNode {
        let parent = self.parent(parent);
        SumNode(self.0.child(parent, frame.pack()))
    }

    /// Adds a root for a thread that the sum does not have yet.
    pub fn add_thread(&mut self, thread: ThreadIx) -> SumNode {
        SumNode(self.0.add(NONE, Frame::Thread(thread).pack()))
    }

    fn parent(&self, parent: Option<SumNode>) -> u32 {
        match parent {
            Some(SumNode(node)) if (node as usize) < self.0.nodes.len() => node,
            _ => NONE,
        }
    }

    /// Adds to the numbers of a node as [`NodeNumbers::add`] does. Ignores a node of another sum.
    pub fn add(&mut self, node: SumNode, numbers: &NodeNumbers) {
        let Some(to) = self.0.nodes.get_mut(node.0 as usize) else { return };
        to.calls = to.calls.saturating_add(numbers[Metric::Timed]);
        to.self_ticks = to.self_ticks.saturating_add(numbers[Metric::SelfTime]);
        to.notable = to.notable.max(numbers[Metric::Longest].saturating_add(1));
        let rare = NodeExtra::of(numbers);
        if rare != NodeExtra::default() {
            self.0.extra_mut(node.0).add(&rare);
        }
    }

    /// Adds events to those of a node, with their times as `convert` turns them. Ignores a node of
    /// another sum.
    pub fn add_events(
        &mut self,
        node: SumNode,
        events: &[NodeEvent],
        convert: impl Fn(Ticks) -> Ticks,
    ) {
        if (node.0 as usize) < self.0.nodes.len() {
            for NodeEvent { name, sum, .. } in events {
                let sum = EventSum { time: convert(sum.time), ..*sum };
                self.0.events.add(node.0, name.clone(), sum);
            }
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
