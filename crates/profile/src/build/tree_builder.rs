//! A calling context tree under construction.
//!
//! The children of a node form a circle, and the node points to the child that was entered last. As
//! calls repeat, or go around in the same order, the search for the next child is short. Nodes with
//! many children also have an index. A node takes 40 bytes.

mod child_index;
mod direct;
mod extras;
mod fold;
mod regroup;

use self::child_index::ChildIndex;
pub(crate) use self::direct::DirectCalls;
use self::extras::Extras;
pub(crate) use self::extras::NodeExtra;
pub(crate) use self::fold::{Moved, SUMMARY};
pub(crate) use self::regroup::{BETWEEN, Joined};
use crate::build::pair_table::{Pair, PairTable};
use crate::model::columns::Columns;
use crate::model::node_events::EventTable;
use crate::{Metric, NodeNumbers, Ticks, model::frame};

/// A node under construction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub frame: u32,
    pub parent: u32,
    /// The child entered last.
    pub child: u32,
    /// The next sibling, in a circle.
    pub next: u32,
    /// Timed calls.
    pub calls: u64,
    pub self_ticks: u64,
    /// A call of so many ticks or more must be looked at when it ends: one more than the node's
    /// longest call so far; zero for a node whose calls are all looked at.
    pub notable: u64,
}

/// "No node" in all links, and the parent of the roots. Its frame matches nothing.
pub(crate) const NONE: u32 = 0;
const NO_FRAME: u32 = u32::MAX;

/// Siblings that are compared before the index is searched.
const MAX_SCAN: usize = 4;

/// A tree under construction. Node 0 is [`NONE`].
#[derive(Clone, Debug)]
pub(crate) struct TreeBuilder {
    pub nodes: Vec<Node>,
    extras: Extras,
    pub events: EventTable,
    /// The nodes that were certainly called by the node above them at least once.
    pub direct: DirectCalls,
    /// Caught exceptions by node and number of their class.
    caught: PairTable<u64>,
    /// All children of some of the nodes with many.
    wide: ChildIndex,
    /// By node, of those that were there at the last fold: the lowest bits of its calls then. Other
    /// bits tell that the node was entered since.
    calls_at_fold: Vec<u8>,
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
            notable: 1,
        };
        Self {
            nodes: vec![none],
            extras: Extras::default(),
            events: EventTable::default(),
            direct: DirectCalls::default(),
            caught: PairTable::default(),
            wide: ChildIndex::default(),
            calls_at_fold: Vec::new(),
        }
    }
}

impl TreeBuilder {
    /// The rare numbers of a node.
    pub fn extra(&self, node: u32) -> NodeExtra {
        self.extras.get(node)
    }

    /// The rare numbers of a node, for changing them.
    #[inline]
    pub fn extra_mut(&mut self, node: u32) -> &mut NodeExtra {
        self.extras.get_mut(node, self.nodes.len())
    }

    /// The nodes that have rare numbers.
    pub fn extras(&self) -> impl Iterator<Item = (u32, NodeExtra)> {
        self.extras.iter().filter(|(_, extra)| *extra != NodeExtra::default())
    }

    /// Bytes that the tree takes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.extras.bytes()
            + self.wide.bytes()
            + self.caught.bytes()
            + self.calls_at_fold.capacity()
            + self.direct.bytes()
    }

    /// Bytes beside those of so many nodes, with those that folding takes, after so many records.
    /// One record has at most one new node, with rare numbers, and puts `indexed` children into the
    /// index.
    pub fn bytes_beside(&self, nodes: usize, records: usize, indexed: usize) -> usize {
        let caught = match self.caught.len() {
            0 => 0,
            _ => self.caught.bytes_after(records),
        };
        let extras = self.extras.bytes_after(nodes, records);
        let direct = self.direct.bytes_after(nodes);
        extras + self.wide.bytes_after(indexed * records) + caught + direct
    }

    /// Adds exceptions of a class, by its number, that a node has caught.
    pub fn add_caught(&mut self, node: u32, class: u32, count: u64) {
        let sum = self.caught.entry(Pair::new(node, class));
        *sum = sum.saturating_add(count);
    }

    /// Caught exceptions: node, number of the class, and how many; in order of both.
    pub fn caught(&self) -> Vec<(u32, u32, u64)> {
        let all = self.caught.iter().map(|(pair, count)| (pair.node(), pair.other(), count));
        let mut all: Vec<_> = all.collect();
        all.sort_unstable();
        all
    }

    /// Takes the caught exceptions out.
    pub fn take_caught(&mut self) -> Vec<(u32, u32, u64)> {
        let all = self.caught();
        self.caught = PairTable::default();
        all
    }

    /// Adds a child after the one entered last, and makes it the one entered last. There must be no
    /// child with this frame, unless no one searches for the frame.
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
        nodes.push(Node { frame, parent, child: NONE, next, calls: 0, self_ticks: 0, notable: 1 });
        ix
    }

    /// The child for `frame`, if there is one. It becomes the one entered last.
    pub fn find(&mut self, parent: u32, frame: u32) -> Option<u32> {
        let last = self.nodes[parent as usize].child;
        let mut at = last;
        for _ in 0..MAX_SCAN {
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

    /// The child for `frame`, added if it is missing. It becomes the one entered last.
    pub fn child(&mut self, parent: u32, frame: u32) -> u32 {
        if let Some(child) = self.find(parent, frame) {
            return child;
        }
        let is_wide = self.is_wide(parent);
        let child = self.add(parent, frame);
        if is_wide {
            self.wide.add(&self.nodes, child);
        }
        child
    }

    /// The frames from below the thread to a node, outermost first. Empty for a thread, and if
    /// there is no such node.
    pub fn path(&self, node: u32) -> Vec<u32> {
        let node_at = |at: u32| self.nodes.get(at as usize).filter(|_| at != NONE);
        let nodes = std::iter::successors(node_at(node), |node| node_at(node.parent));
        let frames = nodes.map(|node| node.frame);
        let mut path: Vec<u32> =
            frames.take_while(|frame| frame::kind(*frame) != frame::THREAD).collect();
        path.reverse();
        path
    }

    /// The children of a node, beginning after the one entered last.
    pub fn children(&self, parent: u32) -> impl Iterator<Item = u32> + '_ {
        children(&self.nodes, parent)
    }

    #[inline(never)]
    fn find_wide(&mut self, parent: u32, frame: u32) -> Option<u32> {
        let found = self.wide.get(&self.nodes, parent, frame);
        if found.is_some() || self.is_wide(parent) {
            return found;
        }
        for child in children(&self.nodes, parent) {
            self.wide.add(&self.nodes, child);
        }
        self.wide.get(&self.nodes, parent, frame)
    }

    /// Whether the index has the children of a node: it has all of them, or none.
    fn is_wide(&self, parent: u32) -> bool {
        let last = self.nodes[parent as usize].child;
        let frame = self.nodes[last as usize].frame;
        last != NONE && self.wide.get(&self.nodes, parent, frame) == Some(last)
    }
}

/// The children of a node, beginning after the one entered last.
fn children(nodes: &[Node], parent: u32) -> impl Iterator<Item = u32> + '_ {
    let last = nodes[parent as usize].child;
    let first = nodes[last as usize].next;
    let next = move |at: &u32| (*at != last).then(|| nodes[*at as usize].next);
    std::iter::successors((last != NONE).then_some(first), next)
}

/// Nodes in preorder, each with its depth. Children are in the order of their creation.
pub(crate) fn preorder(tree: &TreeBuilder) -> Vec<(u32, u32)> {
    let nodes = &tree.nodes;
    let mut order: Vec<(u32, u32)> = Vec::with_capacity(nodes.len() - 1);
    let mut todo: Vec<(u32, u32)> = Vec::new();
    let mut siblings: Vec<u32> = Vec::new();
    let mut push_children = |of: u32, depth: u32, todo: &mut Vec<(u32, u32)>| {
        siblings.clear();
        siblings.extend(children(nodes, of));
        // Numbers ascend in the order of creation. The stack must return the oldest child first.
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

/// The tree as columns in preorder, with each frame mapped by `frame`.
pub(crate) fn columns(tree: &TreeBuilder, frame: impl Fn(u32) -> u32) -> Columns {
    let mut columns = Columns::default();
    let order = preorder(tree);
    if !tree.events.is_empty() {
        columns.events = tree.events.rows(&order);
    }
    for (ix, depth) in order {
        let node = &tree.nodes[ix as usize];
        columns.push(frame(node.frame), depth, &numbers(node, &tree.extra(ix)));
    }
    columns.complete();
    columns
}

/// The numbers of a node. A thread has no time of its own and what depends on it.
fn numbers(node: &Node, extra: &NodeExtra) -> NodeNumbers {
    let mut numbers = extra.numbers();
    numbers[Metric::Timed] = node.calls;
    numbers[Metric::SelfTime] = node.self_ticks;
    numbers[Metric::Longest] = node.notable.saturating_sub(1);
    if frame::kind(node.frame) == frame::THREAD {
        for (_, number) in numbers.iter_mut().filter(|(metric, _)| metric.info().has_total) {
            *number = 0;
        }
        return numbers;
    }
    let parked = extra[Metric::Parked].min(node.self_ticks);
    numbers[Metric::Parked] = parked;
    let off_cpu = extra.off_cpu();
    if !off_cpu.is_zero() {
        numbers.set_off_cpu(off_cpu.within(Ticks(node.self_ticks - parked)));
    }
    numbers
}
