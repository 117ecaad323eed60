//! The nodes of a tree that are large enough and not too deep.

use crate::{Shown, number::share};
use jfathom_profile::{Frame, NodeIx};
use std::ops::Deref;

/// Which nodes are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Levels of the tree below the threads; all if none is given.
    pub depth: Option<u32>,
    /// Nodes with less than this percentage of the whole time are left
    /// out with all below them, unless one of those has more. For nodes whose calls were only
    /// counted it is the percentage of all calls.
    pub threshold: f64,
}

/// What is shown, and which of its nodes are large enough and not too deep.
#[derive(Debug)]
pub struct Pruned<'a> {
    limits: Limits,
    shown: Shown<'a>,
    /// By node, whether it and its descendants are below the threshold. Empty if none is.
    small: Vec<bool>,
}

impl<'a> Deref for Pruned<'a> {
    type Target = Shown<'a>;

    fn deref(&self) -> &Self::Target {
        &self.shown
    }
}

impl<'a> Pruned<'a> {
    /// What is shown, within limits.
    pub fn new(shown: Shown<'a>, limits: Limits) -> Self {
        let mut pruned = Self { limits, shown, small: Vec::new() };
        // Where there is no time to have a part of, nothing is small.
        if pruned.whole > 0.0 && limits.threshold > 0.0 {
            pruned.small = pruned.small_nodes();
        }
        pruned
    }

    /// A node is as large as the largest weight at and below it: a corrected time may be below
    /// zero, and a parent's below its child's.
    fn small_nodes(&self) -> Vec<bool> {
        let mut small = vec![false; self.tree.len()];
        // By depth, the largest weight of the nodes behind which have that depth and no parent so
        // far.
        let mut open: Vec<f64> = Vec::new();
        for root in &self.roots {
            for node in self.tree.subtree(*root).rev().map(NodeIx) {
                let depth = self.tree.depth(node) as usize;
                open.resize(open.len().max(depth + 2), 0.0);
                let largest = self.weight(node).max(std::mem::take(&mut open[depth + 1]));
                open[depth] = open[depth].max(largest);
                small[node.0 as usize] = share(largest, self.whole) < self.limits.threshold;
            }
            open.clear();
        }
        small
    }

    /// What a node weighs against the threshold: its time, or, if its calls were only counted,
    /// their share of all calls as a time.
    fn weight(&self, node: NodeIx) -> f64 {
        match self.tree.timed(node) {
            0 => self.whole * self.tree.counted(node) as f64 / self.calls.max(1.0),
            _ => self.total(node),
        }
    }

    /// Whether a node of a shown parent is shown. Threads are, so that no time is left out.
    pub fn shows(&self, node: NodeIx) -> bool {
        let is_thread = matches!(self.tree.frame(node), Frame::Thread(_));
        let level = self.tree.depth(node);
        is_thread || !self.is_small(node) && self.limits.depth.is_none_or(|depth| level <= depth)
    }

    /// Whether a node and its descendants are below the threshold. Where there is no time to have a
    /// part of, none is.
    pub fn is_small(&self, node: NodeIx) -> bool {
        self.small.get(node.0 as usize) == Some(&true)
    }

    /// Whether a node takes less than the threshold itself, and nothing of it is in children that
    /// are not shown.
    pub fn passes_on(&self, node: NodeIx) -> bool {
        let shown: f64 = self
            .tree
            .children(node)
            .filter(|child| self.shows(*child))
            .map(|child| self.total(child))
            .sum();
        share((self.total(node) - shown).abs(), self.whole) < self.limits.threshold
    }

    /// The nodes that are shown, in preorder.
    pub fn nodes(&self) -> impl Iterator<Item = NodeIx> {
        self.roots.iter().flat_map(move |root| {
            let std::ops::Range { start: mut next, end } = self.tree.subtree(*root);
            std::iter::from_fn(move || {
                while next < end {
                    let node = NodeIx(next);
                    if self.shows(node) {
                        next += 1;
                        return Some(node);
                    }
                    next = self.tree.subtree(node).end;
                }
                None
            })
        })
    }
}
