//! The tree that is shown, and its corrected times.

use jfathom_calibration::Times;
use jfathom_profile::{Frame, Metric, NodeEvent, NodeIx, NodeNumbers, Ticks, Tree};
use std::{borrow::Cow, ops::Range};

/// The tree that is shown: a tree of the profile's threads, and behind its nodes the sums of pools.
/// So the threads that are in no pool are not copied. What is in a pool is in the first tree, too,
/// below roots that are not shown.
#[derive(Debug)]
pub struct ShownTree<'a> {
    threads: Cow<'a, Tree>,
    pools: Tree,
}

impl<'a> ShownTree<'a> {
    /// A tree without pools.
    pub(crate) fn new(threads: Cow<'a, Tree>) -> Self {
        Self { threads, pools: Tree::default() }
    }

    /// A tree and the sums of its pools; none if they are more nodes than can be numbered.
    pub(crate) fn with_pools(threads: &'a Tree, pools: Tree) -> Option<Self> {
        u32::try_from(threads.len() + pools.len()).ok()?;
        Some(Self { threads: Cow::Borrowed(threads), pools })
    }

    /// The roots of the sums of pools.
    pub(crate) fn pool_roots(&self) -> impl Iterator<Item = NodeIx> {
        let behind = self.threads.len() as u32;
        self.pools.roots().map(move |root| NodeIx(root.0 + behind))
    }

    /// The roots of the threads, those of pools as well.
    pub(crate) fn thread_roots(&self) -> impl Iterator<Item = NodeIx> {
        self.threads.roots()
    }

    /// The tree that has a node, its index there, and the nodes before that tree.
    #[inline]
    pub(crate) fn place(&self, node: NodeIx) -> (&Tree, NodeIx, u32) {
        let before = self.threads.len() as u32;
        match node.0.checked_sub(before) {
            Some(of_pools) => (&self.pools, NodeIx(of_pools), before),
            None => (&self.threads, node, 0),
        }
    }

    /// Number of nodes, with those that are not shown.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.threads.len() + self.pools.len()
    }

    /// All nodes, with those that are not shown.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeIx> + use<> {
        (0..self.len() as u32).map(NodeIx)
    }

    /// The frame of a node. Like all accessors, it panics if the node is not of this tree.
    pub fn frame(&self, node: NodeIx) -> Frame {
        let (tree, node, _) = self.place(node);
        tree.frame(node)
    }

    /// Number of ancestors.
    pub fn depth(&self, node: NodeIx) -> u32 {
        let (tree, node, _) = self.place(node);
        tree.depth(node)
    }

    /// All calls along this path, timed and counted.
    pub fn calls(&self, node: NodeIx) -> u64 {
        let (tree, node, _) = self.place(node);
        tree.calls(node)
    }

    /// Timed calls along this path.
    pub fn timed(&self, node: NodeIx) -> u64 {
        let (tree, node, _) = self.place(node);
        tree.timed(node)
    }

    /// Counted calls along this path.
    pub fn counted(&self, node: NodeIx) -> u64 {
        let (tree, node, _) = self.place(node);
        tree.counted(node)
    }

    /// A number of the node itself.
    pub fn number(&self, metric: Metric, node: NodeIx) -> u64 {
        let (tree, node, _) = self.place(node);
        tree.number(metric, node)
    }

    /// The sum of the numbers of a node and its descendants, if the metric has totals.
    pub fn total(&self, metric: Metric, node: NodeIx) -> u64 {
        let (tree, node, _) = self.place(node);
        tree.total(metric, node)
    }

    /// Measured self time.
    pub fn self_time(&self, node: NodeIx) -> Ticks {
        let (tree, node, _) = self.place(node);
        tree.self_time(node)
    }

    /// Measured total time.
    pub fn total_time(&self, node: NodeIx) -> Ticks {
        let (tree, node, _) = self.place(node);
        tree.total_time(node)
    }

    /// All numbers of the node itself.
    pub fn numbers(&self, node: NodeIx) -> NodeNumbers {
        let (tree, node, _) = self.place(node);
        tree.numbers(node)
    }

    /// Those of the node and its descendants, of metrics that have totals.
    pub fn totals(&self, node: NodeIx) -> NodeNumbers {
        let (tree, node, _) = self.place(node);
        tree.totals(node)
    }

    /// What the JVM told of threads while the node was on top of their stacks. The rows name nodes
    /// of another tree.
    pub fn events(&self, node: NodeIx) -> &[NodeEvent] {
        let (tree, node, _) = self.place(node);
        tree.events(node)
    }

    /// The same of a node and its descendants.
    pub fn total_events(&self, node: NodeIx) -> &[NodeEvent] {
        let (tree, node, _) = self.place(node);
        tree.total_events(node)
    }

    /// `node` and its descendants, in preorder.
    pub fn subtree(&self, node: NodeIx) -> Range<u32> {
        let (tree, node, before) = self.place(node);
        let Range { start, end } = tree.subtree(node);
        start + before..end + before
    }

    /// The children of `node`.
    pub fn children(&self, node: NodeIx) -> impl Iterator<Item = NodeIx> + use<'_, 'a> {
        let (tree, node, before) = self.place(node);
        tree.children(node).map(move |child| NodeIx(child.0 + before))
    }
}

/// Corrected times by node of a [`crate::ShownTree`].
#[derive(Debug)]
pub(crate) struct ShownTimes<'a> {
    pub threads: Cow<'a, [Times]>,
    pub pools: Vec<Times>,
}

impl ShownTimes<'_> {
    /// The times of a node; zero for one that there is not.
    #[inline]
    pub fn get(&self, node: NodeIx) -> Times {
        let at = node.0 as usize;
        let times = match at.checked_sub(self.threads.len()) {
            None => self.threads.get(at),
            Some(at) => self.pools.get(at),
        };
        times.copied().unwrap_or_default()
    }
}
