//! The bound on the memory of a builder's tree.
//!
//! Before records are consumed there must be room for all that they can add. If there is none,
//! subtrees are folded until a quarter of the bound is free. Calls of folded paths that come later
//! get nodes of their own again, until the next fold. Each fold looks at the whole tree, so it must
//! free many nodes: where it does not, since calls are open or watched, the next one waits until
//! the tree has grown by an eighth of the bound beyond it.

use super::Builder;
use super::thread::ThreadState;
use crate::build::tree_builder::{Node, TreeBuilder};

/// Children that one record can add to the index: those of a node that is no longer scanned.
const INDEXED_AT_ONCE: usize = 5;
/// Pairs that one record can add to the counted calls.
const PAIRS_AT_ONCE: usize = 2;
/// What is left of the bound after a fold.
const TARGET: f64 = 0.75;
/// Bytes of a node, and what folding takes for it.
const NODE_BYTES: usize = size_of::<Node>() + TreeBuilder::FOLD_BYTES;

impl Builder {
    /// Bounds the memory of the tree and of its counted calls, with what folding takes meanwhile.
    /// Before it passes the bound, subtrees with little time are folded: all sums by method stay
    /// exact. Open calls and calls with a latency have nodes of their own all the same.
    pub fn set_max_memory(&mut self, bytes: u64) {
        self.folding.limit = Some(bytes);
    }

    /// Bytes that tree and counted calls take.
    pub fn memory_bytes(&self) -> usize {
        self.tree.bytes() + self.counted.bytes()
    }

    /// How often the tree was folded.
    pub fn folds(&self) -> u64 {
        self.folding.folds
    }

    /// Folds if so many records could pass the bound. `state` is that of a thread which is not in
    /// the builder at the moment.
    #[inline]
    pub(super) fn make_room(&mut self, records: usize, state: Option<&mut ThreadState>) {
        if let Some(limit) = self.folding.limit {
            self.keep_below(limit, records, state);
        }
    }

    fn keep_below(&mut self, limit: u64, records: usize, state: Option<&mut ThreadState>) {
        if self.bytes_after(records) > limit.max(self.folding.raised) {
            self.fold(limit, records, state);
        }
        let nodes = &mut self.tree.nodes;
        let needed = nodes.len() + records;
        if needed > nodes.capacity() {
            // No more than the bound lets them become, if that is enough.
            let others = self.counted.bytes() as u64;
            let most = limit.saturating_sub(others) / NODE_BYTES as u64;
            let wanted = (2 * nodes.capacity()).min(usize::try_from(most).unwrap_or(usize::MAX));
            nodes.reserve_exact(wanted.max(needed) - nodes.len());
        }
    }

    /// The most bytes that there are after so many records, and while the tree is folded then.
    fn bytes_after(&self, records: usize) -> u64 {
        let nodes = self.tree.nodes.len() + records;
        let counted = self.counted.bytes();
        let tree = nodes * NODE_BYTES + self.tree.bytes_beside(nodes, records, INDEXED_AT_ONCE);
        let pairs = self.counted.bytes_after(PAIRS_AT_ONCE * records);
        (tree + pairs.max(counted + counted / 3 * 5)) as u64
    }

    #[cold]
    fn fold(&mut self, limit: u64, records: usize, state: Option<&mut ThreadState>) {
        let before = self.bytes_after(records);
        let share = TARGET * limit as f64 / before.max(1) as f64;
        let most = (self.tree.nodes.len() as f64 * share.min(1.0)) as usize;
        let mut kept: Vec<u32> = self.states().map(|state| state.current).collect();
        kept.extend(state.iter().map(|state| state.current));
        kept.extend(self.latencies.nodes());
        kept.extend(self.slice.iter().flat_map(|slice| slice.carried.keys()));
        if let Some(moved) = self.tree.fold(most, &kept) {
            self.folding.folds += 1;
            self.counted.follow(&moved);
            self.threads.iter_mut().chain(state).for_each(|state| state.follow(&moved));
            self.virtuals.follow(&moved);
            self.latencies.follow(&moved);
            self.slice.iter_mut().for_each(|slice| slice.follow(&moved));
        }
        let after = self.bytes_after(records);
        let is_much_left = after > limit / 8 * 7;
        self.folding.raised = if is_much_left { after + limit / 8 } else { 0 };
        self.folding.most_beyond = self.folding.most_beyond.max(after.saturating_sub(limit));
    }
}
