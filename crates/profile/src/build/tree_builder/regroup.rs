//! Nodes that get another parent, once all records are consumed.

use std::collections::{HashMap, HashSet};

use super::{NONE, Node, TreeBuilder};
use crate::model::frame;

/// The frame of nodes between a method and what was called below it, perhaps not by it.
pub(crate) const BETWEEN: u32 = frame::pack(frame::FOLDED, 1);

/// Nodes whose numbers are another one's.
#[derive(Debug, Default)]
pub(crate) struct Joined(HashMap<u32, u32>);

impl Joined {
    /// The node that has the numbers of this one.
    pub fn to(&self, mut node: u32) -> u32 {
        while let Some(to) = self.0.get(&node) {
            node = *to;
        }
        node
    }
}

impl TreeBuilder {
    /// Moves children of a node, with all below them, each to the end of another one's children. No
    /// node can be searched for by its frame afterwards.
    pub fn move_children(&mut self, from: u32, moves: &[(u32, u32)]) {
        let moved: HashSet<u32> = moves.iter().map(|(child, _)| *child).collect();
        let staying: Vec<u32> =
            self.children(from).filter(|child| !moved.contains(child)).collect();
        self.link_children(from, &staying);
        for (child, to) in moves {
            let last = self.nodes[*to as usize].child;
            let next = match last {
                NONE => *child,
                last => std::mem::replace(&mut self.nodes[last as usize].next, *child),
            };
            let node = &mut self.nodes[*child as usize];
            (node.parent, node.next) = (*to, next);
            self.nodes[*to as usize].child = *child;
        }
    }

    fn link_children(&mut self, parent: u32, children: &[u32]) {
        self.nodes[parent as usize].child = children.last().copied().unwrap_or(NONE);
        for (at, next) in children.iter().zip(children.iter().cycle().skip(1)) {
            self.nodes[*at as usize].next = *next;
        }
    }

    /// The child for a frame, wherever it stands.
    pub fn scan(&self, parent: u32, frame: u32) -> Option<u32> {
        self.children(parent).find(|child| self.nodes[*child as usize].frame == frame)
    }

    /// Adds a node to another one with the same frame and parent, and what is below it likewise.
    /// What is left of it stands nowhere.
    pub fn merge_into(&mut self, node: u32, to: u32, joined: &mut Joined) {
        let mut todo = vec![(node, to)];
        while let Some((node, to)) = todo.pop() {
            self.add_numbers(node, to);
            joined.0.insert(node, to);
            let children: Vec<u32> = self.children(node).collect();
            let mut moves = Vec::new();
            for child in children {
                match self.scan(to, self.nodes[child as usize].frame) {
                    Some(same) => todo.push((child, same)),
                    None => moves.push((child, to)),
                }
            }
            self.move_children(node, &moves);
            let parent = self.nodes[node as usize].parent;
            let others: Vec<u32> = self.children(parent).filter(|child| *child != node).collect();
            self.link_children(parent, &others);
        }
    }

    fn add_numbers(&mut self, node: u32, to: u32) {
        let extra = std::mem::take(self.extra_mut(node));
        self.extra_mut(to).add(&extra);
        let Node { calls, self_ticks, notable, .. } = self.nodes[node as usize];
        let of = &mut self.nodes[to as usize];
        of.calls = of.calls.saturating_add(calls);
        of.self_ticks = of.self_ticks.wrapping_add(self_ticks);
        of.notable = of.notable.max(notable);
        let gone = &mut self.nodes[node as usize];
        (gone.calls, gone.self_ticks, gone.notable) = (0, 0, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;

    fn shape(tree: &TreeBuilder) -> Vec<(u32, u32, u64)> {
        let order = crate::build::tree_builder::preorder(tree);
        let row = |(node, depth): (u32, u32)| {
            let of = &tree.nodes[node as usize];
            (depth, of.frame, of.calls)
        };
        order.into_iter().map(row).collect()
    }

    #[test]
    fn moved_children_stand_below_others_and_equal_ones_are_one() {
        let mut tree = TreeBuilder::default();
        let root = tree.add(NONE, 1);
        let [a, b, c] = [10, 11, 12].map(|frame| tree.add(root, frame));
        let below_a = tree.add(a, 12);
        let of_c = tree.add(c, 20);
        let of_both = [tree.add(c, 21), tree.add(below_a, 21)];
        for (node, calls) in [(a, 1), (b, 2), (c, 4), (below_a, 8), (of_c, 16), (of_both[0], 32)] {
            tree.nodes[node as usize].calls = calls;
        }
        tree.nodes[of_both[1] as usize].calls = 64;
        tree.extra_mut(c)[Metric::Throws] = 3;
        tree.move_children(root, &[(c, a), (b, c)]);
        let mut joined = Joined::default();
        tree.merge_into(c, below_a, &mut joined);
        assert_eq!(
            shape(&tree),
            [(0, 1, 0), (1, 10, 1), (2, 12, 12), (3, 11, 2), (3, 20, 16), (3, 21, 96)]
        );
        assert_eq!(tree.extra(below_a)[Metric::Throws], 3);
        assert_eq!([joined.to(c), joined.to(of_both[0]), joined.to(b)], [below_a, of_both[1], b]);
        tree.move_children(a, &[(below_a, root)]);
        assert_eq!(tree.children(a).count(), 0);
    }
}
