//! The tree in parts, so that several processors can correct it.
//!
//! The rows are cut into chunks of equal length. A subtree within one chunk is a part: what it adds
//! to its caller does not depend on other parts. A node whose subtree reaches beyond its chunk is a
//! part of its own. There are as many of those as the tree is deep, for each chunk.

use std::ops::Range;

use jfathom_profile::{NodeIx, Tree};

use super::inputs::Inputs;
use super::node::CallerShare;
use crate::bars::ErrorTerms;

/// Chunks of a large tree.
const CHUNKS: usize = 64;
/// Rows of a chunk, at least: a smaller tree is not worth a second thread.
const LEAST_ROWS: usize = 1 << 14;

/// Some rows of the tree.
pub(super) struct Chunk {
    pub rows: Range<u32>,
    /// In preorder. Rows of no part are of a thread without costs.
    pub parts: Vec<Part>,
}

/// A part of the tree.
pub(super) struct Part {
    /// Its first node.
    pub node: NodeIx,
    /// The thread in whose tree it is.
    pub thread: usize,
    pub kind: PartKind,
}

/// How far a part goes.
pub(super) enum PartKind {
    /// The node alone.
    Node,
    /// The node with its descendants, and what the last pass over them found.
    Subtree(Option<Box<SubtreeSums>>),
}

/// What a subtree adds to the node above, and to the sums over the whole tree.
pub(super) struct SubtreeSums {
    /// What the calls of its outermost timed nodes take from the caller, with their exceptions.
    pub for_caller: Option<(CallerShare, u64)>,
    pub total_nanos: f64,
    /// The error terms of the total time.
    pub terms: ErrorTerms,
    /// Whether a node of it waits for other threads.
    pub has_waits: bool,
    /// What was subtracted from each wait, in preorder.
    pub waits_nanos: Vec<f64>,
}

impl Part {
    /// Whether a node of it waits for other threads, as far as a pass has found.
    pub(super) fn has_waits(&self) -> bool {
        matches!(&self.kind, PartKind::Subtree(Some(sums)) if sums.has_waits)
    }
}

/// The parts of the tree.
pub(super) fn chunks(inputs: &Inputs) -> Vec<Chunk> {
    chunks_of(inputs, (inputs.profile.tree.len() / CHUNKS).max(LEAST_ROWS))
}

/// The parts of the tree, in chunks of so many rows.
pub(super) fn chunks_of(inputs: &Inputs, rows: usize) -> Vec<Chunk> {
    let tree = &inputs.profile.tree;
    let mut thread = None;
    let starts = (0..tree.len()).step_by(rows);
    let chunk = |start: usize| {
        let rows = start as u32..(start + rows).min(tree.len()) as u32;
        let mut parts = Vec::new();
        let mut next = rows.start;
        while next < rows.end {
            let node = NodeIx(next);
            if tree.depth(node) == 0 {
                thread = inputs.thread_with_costs(node);
            }
            let is_subtree = subtree_end(tree, node) <= rows.end;
            let kind = if is_subtree { PartKind::Subtree(None) } else { PartKind::Node };
            parts.extend(thread.map(|thread| Part { node, thread, kind }));
            next = if is_subtree { subtree_end(tree, node) } else { next + 1 };
        }
        Chunk { rows, parts }
    };
    starts.map(chunk).collect()
}

fn subtree_end(tree: &Tree, node: NodeIx) -> u32 {
    tree.subtree(node).end
}
