//! A calling context tree that grows.
//!
//! Children of a node form a circle of siblings, and the node points to the child that was entered last: calls repeat, or
//! go around in the same order. A node takes 32 bytes.

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

/// The node that stands for "none" in all links, and above the roots. Its frame matches nothing.
pub(crate) const NONE: u32 = 0;
const NO_FRAME: u32 = u32::MAX;

/// The nodes of an empty tree: only the one that is none.
pub(crate) fn no_nodes() -> Vec<Node> {
    vec![Node { frame: NO_FRAME, parent: NONE, child: NONE, next: NONE, calls: 0, self_ticks: 0 }]
}

/// Adds a child to `parent`, after the one entered last, and makes it the one entered last.
pub(crate) fn add(nodes: &mut Vec<Node>, parent: u32, frame: u32) -> u32 {
    let ix = u32::try_from(nodes.len()).expect("4 G nodes are 128 GiB: memory has ended before");
    let before = std::mem::replace(&mut nodes[parent as usize].child, ix);
    let next = if before == NONE { ix } else { std::mem::replace(&mut nodes[before as usize].next, ix) };
    nodes.push(Node { frame, parent, child: NONE, next, calls: 0, self_ticks: 0 });
    ix
}

/// The child of `parent` for `frame`, if there is one; it is then the one entered last.
pub(crate) fn find(nodes: &mut [Node], parent: u32, frame: u32) -> Option<u32> {
    let last = nodes[parent as usize].child;
    let mut at = last;
    while at != NONE {
        at = nodes[at as usize].next;
        if nodes[at as usize].frame == frame {
            nodes[parent as usize].child = at;
            return Some(at);
        }
        if at == last {
            break;
        }
    }
    None
}

/// The tree in preorder, children in the order of their making. `frame` gives each node's frame as it shall be.
pub(crate) fn columns(nodes: &[Node], frame: impl Fn(u32) -> u32) -> Columns {
    let len = nodes.len() - 1;
    let mut columns = Columns::with_capacity(len);
    let mut todo: Vec<(u32, u32)> = Vec::new();
    let mut children: Vec<u32> = Vec::new();
    let mut push_children = |of: u32, depth: u32, todo: &mut Vec<(u32, u32)>| {
        children.clear();
        let last = nodes[of as usize].child;
        let mut at = last;
        while at != NONE {
            children.push(at);
            at = nodes[at as usize].next;
            if at == last {
                break;
            }
        }
        // Nodes are numbered in the order of their making; the first is to come off the stack first.
        children.sort_unstable_by(|a, b| b.cmp(a));
        todo.extend(children.iter().map(|child| (*child, depth)));
    };
    push_children(NONE, 0, &mut todo);
    while let Some((ix, depth)) = todo.pop() {
        let node = &nodes[ix as usize];
        let is_thread = frame::kind(node.frame) == frame::THREAD;
        columns.frames.push(frame(node.frame));
        columns.depths.push(depth);
        columns.calls.push(node.calls);
        columns.self_ticks.push(Ticks(if is_thread { 0 } else { node.self_ticks }));
        push_children(ix, depth + 1, &mut todo);
    }
    columns
}
