//! Making of trees of sampled frames.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::Frame;
use crate::model::stack_samples::{SampleCounts, SampleFrame, SampleNode, SampleTree, SampledName};

/// Nodes of a tree. Samples that would need more are counted in the deepest node that is there.
const MOST_NODES: usize = 200_000;

/// A tree to which samples are added.
#[derive(Clone, Debug)]
pub struct SampleTreeBuilder {
    names: Vec<SampledName>,
    name_places: HashMap<SampledName, u32>,
    /// Parents before children.
    nodes: Vec<Node>,
    places: HashMap<(u32, SampleFrame), u32>,
    most_nodes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    frame: SampleFrame,
    own: SampleCounts,
}

/// The parent of roots.
const NO_NODE: u32 = u32::MAX;

impl Default for SampleTreeBuilder {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            name_places: HashMap::new(),
            nodes: Vec::new(),
            places: HashMap::new(),
            most_nodes: MOST_NODES,
        }
    }
}

impl SampleTreeBuilder {
    /// An empty tree that takes so many nodes.
    pub fn with_most_nodes(most_nodes: usize) -> Self {
        Self { most_nodes, ..Self::default() }
    }

    /// A tree that goes on from another one, whose frames have these names.
    pub(crate) fn from_parts(names: Vec<SampledName>, tree: &SampleTree) -> Self {
        let mut builder = Self { most_nodes: MOST_NODES.max(tree.len()), ..Self::default() };
        builder.add_tree(&names, tree, |frame| frame);
        builder.most_nodes = MOST_NODES;
        builder
    }

    /// The place of a name.
    pub fn name(&mut self, name: &SampledName) -> u32 {
        if let Some(place) = self.name_places.get(name) {
            return *place;
        }
        let place = self.names.len() as u32;
        self.names.push(name.clone());
        self.name_places.insert(name.clone(), place);
        place
    }

    /// Adds samples of these frames, a thread or what else is a root first. Returns whether all
    /// frames have found a place.
    pub fn add(
        &mut self,
        frames: impl IntoIterator<Item = SampleFrame>,
        counts: SampleCounts,
    ) -> bool {
        let (mut at, mut is_whole) = (NO_NODE, true);
        for frame in frames {
            match self.child(at, frame) {
                Some(child) => at = child,
                None => {
                    is_whole = false;
                    break;
                }
            }
        }
        if let Some(node) = self.nodes.get_mut(at as usize) {
            node.own += counts;
        }
        is_whole
    }

    fn child(&mut self, parent: u32, frame: SampleFrame) -> Option<u32> {
        if let Some(known) = self.places.get(&(parent, frame)) {
            return Some(*known);
        }
        // A root is always taken: no sample is to be without a place.
        if self.nodes.len() >= self.most_nodes && parent != NO_NODE {
            return None;
        }
        let place = self.nodes.len() as u32;
        self.nodes.push(Node { parent, frame, own: SampleCounts::default() });
        self.places.insert((parent, frame), place);
        Some(place)
    }

    /// Adds another tree. Returns how many of its samples lack their innermost frames here.
    pub(crate) fn add_tree(
        &mut self,
        names: &[SampledName],
        tree: &SampleTree,
        frame: impl Fn(Frame) -> Frame,
    ) -> u64 {
        let names: Vec<u32> = names.iter().map(|name| self.name(name)).collect();
        let mut cut = 0;
        // By depth: the node here, and whether it is that of all frames.
        let mut path: Vec<(u32, bool)> = Vec::new();
        for node in tree.nodes() {
            let SampleNode { frame: of, depth, own } = tree.node(node);
            path.truncate(depth as usize);
            let (parent, is_whole) = path.last().copied().unwrap_or((NO_NODE, true));
            let of = match of {
                SampleFrame::Recorded(of) => SampleFrame::Recorded(frame(of)),
                SampleFrame::Sampled(name) => {
                    SampleFrame::Sampled(names.get(name as usize).copied().unwrap_or_default())
                }
            };
            let child = if is_whole { self.child(parent, of) } else { None };
            let (place, is_whole) = (child.unwrap_or(parent), child.is_some());
            if let Some(node) = self.nodes.get_mut(place as usize) {
                node.own += own;
            }
            if !is_whole {
                cut += own.all();
            }
            path.push((place, is_whole));
        }
        cut
    }

    /// The tree, and the names of its frames.
    pub fn finish(self) -> (Vec<SampledName>, SampleTree) {
        let Self { names, nodes, .. } = self;
        let mut totals: Vec<SampleCounts> = nodes.iter().map(|node| node.own).collect();
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        let mut roots = Vec::new();
        for (at, node) in nodes.iter().enumerate().rev() {
            let total = totals[at];
            match totals.get_mut(node.parent as usize) {
                Some(parent) => {
                    *parent += total;
                    children[node.parent as usize].push(at as u32);
                }
                None => roots.push(at as u32),
            }
        }
        let order = |list: &mut Vec<u32>| {
            list.sort_by_key(|at| {
                let at = *at as usize;
                (Reverse(totals[at].all()), nodes[at].frame)
            });
        };
        order(&mut roots);
        let mut preorder = Vec::with_capacity(nodes.len());
        let mut open: Vec<(u32, u32)> = roots.into_iter().rev().map(|at| (at, 0)).collect();
        while let Some((at, depth)) = open.pop() {
            let node = nodes[at as usize];
            preorder.push(SampleNode { frame: node.frame, depth, own: node.own });
            let below = &mut children[at as usize];
            order(below);
            open.extend(below.iter().rev().map(|child| (*child, depth + 1)));
        }
        (names, SampleTree::from_preorder(preorder))
    }
}
