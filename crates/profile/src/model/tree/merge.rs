//! Sums of call paths that are equal in several subtrees of one tree.
//!
//! Nodes with equal call paths are a group. To the subtree of a group of one node nothing is added,
//! so it is copied as a whole. Work is only for nodes that come together.

use std::collections::HashMap;

use super::Tree;
use crate::model::columns::Columns;
use crate::{NodeIx, NodeNumbers};

/// Where nodes of a merged tree come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergedFrom<'a> {
    /// The next nodes are this one and its descendants, in preorder.
    Subtree(NodeIx),
    /// The next node is the sum of these.
    Sum(&'a [NodeIx]),
}

/// Groups that are searched one by one. More have an index.
const MOST_SCANNED: usize = 16;

impl Tree {
    /// The sums of groups of nodes, with all below them. Each group is a root of the result, with
    /// the frame of its first node. Children of a group's nodes with equal frames are one child.
    /// Children are in the order in which their frames are met. `from` is called for all nodes of
    /// the result, in their order.
    pub fn merge(&self, groups: Vec<Vec<NodeIx>>, mut from: impl FnMut(MergedFrom)) -> Self {
        let mut columns = Columns::default();
        let mut todo: Vec<(Vec<NodeIx>, u32)> =
            groups.into_iter().rev().map(|group| (group, 0)).collect();
        while let Some((group, depth)) = todo.pop() {
            match *group {
                [] => {}
                [node] => {
                    let rows = self.subtree(node);
                    let (rows, top) = (rows.start as usize..rows.end as usize, self.depth(node));
                    columns.copy_rows(&self.columns, rows, |of| of - top + depth);
                    from(MergedFrom::Subtree(node));
                }
                [first, ..] => {
                    let mut sum = NodeNumbers::default();
                    group.iter().for_each(|node| sum.add(&self.numbers(*node)));
                    let rows = group.iter().flat_map(|node| self.events(*node));
                    columns.events.push_sums(columns.len() as u32, rows);
                    columns.push(self.columns.frames[first.0 as usize], depth, &sum);
                    from(MergedFrom::Sum(&group));
                    let children = group.iter().flat_map(|node| self.children(*node));
                    let groups = self.by_frame(children).into_iter().rev();
                    todo.extend(groups.map(|group| (group, depth + 1)));
                }
            }
        }
        Self::from_preorder(columns)
    }

    /// Nodes in groups of equal frames, in the order in which the frames are met.
    pub fn by_frame(&self, nodes: impl Iterator<Item = NodeIx>) -> Vec<Vec<NodeIx>> {
        let frame_of = |node: NodeIx| self.columns.frames[node.0 as usize];
        let mut groups: Vec<(u32, Vec<NodeIx>)> = Vec::new();
        let mut index: HashMap<u32, usize> = HashMap::new();
        // Nodes with equal call paths mostly have their children in the same order.
        let mut expected = 0;
        for node in nodes {
            let frame = frame_of(node);
            let found = match groups.get(expected) {
                Some((of, _)) if *of == frame => Some(expected),
                _ if groups.len() <= MOST_SCANNED => groups.iter().position(|(of, _)| *of == frame),
                _ => {
                    let missing = groups.iter().enumerate().skip(index.len());
                    index.extend(missing.map(|(at, (of, _))| (*of, at)));
                    index.get(&frame).copied()
                }
            };
            let at = found.unwrap_or(groups.len());
            match groups.get_mut(at) {
                Some((_, group)) => group.push(node),
                None => groups.push((frame, vec![node])),
            }
            expected = at + 1;
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }
}
