//! A calling context tree under construction.
//!
//! Children of a node form a circle of siblings, and the node points to the child that was entered
//! last: calls repeat, or go around in the same order. Where that does not help, an index does. A
//! node takes 32 bytes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::tree::Columns;
use crate::{Ticks, frame};

/// A node that is being counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub frame: u32,
    pub parent: u32,
    /// The child entered last.
    pub child: u32,
    /// The next sibling, in a circle.
    pub next: u32,
    pub calls: u64,
    pub self_ticks: u64,
}

/// What few nodes have, and no call needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeExtra {
    /// Counted calls that were made directly from it.
    pub counted: u64,
    /// How often that was told.
    pub notes: u64,
    /// Its calls that ended by an exception.
    pub throws: u64,
}

/// The node that stands for "none" in all links, and above the roots. Its frame matches nothing.
pub(crate) const NONE: u32 = 0;
const NO_FRAME: u32 = u32::MAX;

/// So many siblings are looked at before the index is asked.
const SCAN: usize = 8;

/// A growing tree. Node 0 is [`NONE`].
#[derive(Clone, Debug)]
pub(crate) struct TreeBuilder {
    pub nodes: Vec<Node>,
    /// By node; shorter where the later nodes have none.
    extras: Vec<NodeExtra>,
    /// The children of parents with many, by parent and frame; such a parent has an entry for
    /// [`NO_FRAME`] as well.
    wide: HashMap<(u32, u32), u32, BuildHasherDefault<PairHasher>>,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        let none = Node {
            frame: NO_FRAME,
            parent: NONE,
            child: NONE,
            next: NONE,
            calls: 0,
            self_ticks: 0,
        };
        Self { nodes: vec![none], extras: Vec::new(), wide: HashMap::default() }
    }
}

impl TreeBuilder {
    /// What a node has beyond the usual.
    pub fn extra(&self, node: u32) -> NodeExtra {
        self.extras.get(node as usize).copied().unwrap_or_default()
    }

    /// [`TreeBuilder::extra`], to be changed.
    #[inline]
    pub fn extra_mut(&mut self, node: u32) -> &mut NodeExtra {
        if self.extras.len() <= node as usize {
            self.more_extras();
        }
        &mut self.extras[node as usize]
    }

    /// The nodes that have something beyond the usual.
    pub fn extras(&self) -> impl Iterator<Item = (u32, NodeExtra)> {
        let all = (0..).zip(self.extras.iter().copied());
        all.filter(|(_, extra)| extra.counted | extra.notes | extra.throws != 0)
    }

    #[cold]
    fn more_extras(&mut self) {
        self.extras.resize(self.nodes.len(), NodeExtra::default());
    }

    /// Adds a child to `parent`, after the one entered last, and makes it the one entered last.
    /// There must be no child with this frame, or none that is ever looked for.
    pub fn add(&mut self, parent: u32, frame: u32) -> u32 {
        let nodes = &mut self.nodes;
        let ix =
            u32::try_from(nodes.len()).expect("4 G nodes are 128 GiB: memory has ended before");
        let before = std::mem::replace(&mut nodes[parent as usize].child, ix);
        let next = if before == NONE {
            ix
        } else {
            std::mem::replace(&mut nodes[before as usize].next, ix)
        };
        nodes.push(Node { frame, parent, child: NONE, next, calls: 0, self_ticks: 0 });
        ix
    }

    /// The child of `parent` for `frame`, if there is one; it is then the one entered last.
    pub fn find(&mut self, parent: u32, frame: u32) -> Option<u32> {
        let last = self.nodes[parent as usize].child;
        let mut at = last;
        for _ in 0..SCAN {
            if at == NONE {
                return None;
            }
            at = self.nodes[at as usize].next;
            if self.nodes[at as usize].frame == frame {
                self.nodes[parent as usize].child = at;
                return Some(at);
            }
            if at == last {
                return None;
            }
        }
        let found = self.find_wide(parent, frame)?;
        self.nodes[parent as usize].child = found;
        Some(found)
    }

    /// The child of `parent` for `frame`, added if it is not there; it is then the one entered
    /// last.
    pub fn child(&mut self, parent: u32, frame: u32) -> u32 {
        if let Some(child) = self.find(parent, frame) {
            return child;
        }
        let child = self.add(parent, frame);
        if self.wide.contains_key(&(parent, NO_FRAME)) {
            self.wide.insert((parent, frame), child);
        }
        child
    }

    #[inline(never)]
    fn find_wide(&mut self, parent: u32, frame: u32) -> Option<u32> {
        if self.wide.insert((parent, NO_FRAME), NONE).is_none() {
            for child in children(&self.nodes, parent) {
                self.wide.insert((parent, self.nodes[child as usize].frame), child);
            }
        }
        self.wide.get(&(parent, frame)).copied()
    }
}

/// The children of a node, beginning after the one entered last.
fn children(nodes: &[Node], parent: u32) -> impl Iterator<Item = u32> + '_ {
    let last = nodes[parent as usize].child;
    let first = nodes[last as usize].next;
    let next = move |at: &u32| (*at != last).then(|| nodes[*at as usize].next);
    std::iter::successors((last != NONE).then_some(first), next)
}

/// Hashes two 32-bit numbers of our own making; not for adversaries.
#[derive(Clone, Copy, Debug, Default)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(32) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// The nodes in preorder, children in the order of their making, each with its depth.
pub(crate) fn preorder(tree: &TreeBuilder) -> Vec<(u32, u32)> {
    let nodes = &tree.nodes;
    let mut order: Vec<(u32, u32)> = Vec::with_capacity(nodes.len() - 1);
    let mut todo: Vec<(u32, u32)> = Vec::new();
    let mut siblings: Vec<u32> = Vec::new();
    let mut push_children = |of: u32, depth: u32, todo: &mut Vec<(u32, u32)>| {
        siblings.clear();
        siblings.extend(children(nodes, of));
        // Nodes are numbered in the order of their making; the first is to come off the stack
        // first.
        siblings.sort_unstable_by(|a, b| b.cmp(a));
        todo.extend(siblings.iter().map(|child| (*child, depth)));
    };
    push_children(NONE, 0, &mut todo);
    while let Some((ix, depth)) = todo.pop() {
        order.push((ix, depth));
        push_children(ix, depth + 1, &mut todo);
    }
    order
}

/// The tree in preorder. `frame` gives each node's frame as it shall be.
pub(crate) fn columns(tree: &TreeBuilder, frame: impl Fn(u32) -> u32) -> Columns {
    let mut columns = Columns::with_capacity(tree.nodes.len() - 1);
    let has_extras = !tree.extras.is_empty();
    for (ix, depth) in preorder(tree) {
        let node = &tree.nodes[ix as usize];
        let is_thread = frame::kind(node.frame) == frame::THREAD;
        columns.frames.push(frame(node.frame));
        columns.depths.push(depth);
        columns.calls.push(node.calls);
        columns.self_ticks.push(Ticks(if is_thread { 0 } else { node.self_ticks }));
        if has_extras {
            let extra = tree.extra(ix);
            columns.counted.push(extra.counted);
            columns.notes.push(extra.notes);
            columns.throws.push(extra.throws);
        }
    }
    columns
}
