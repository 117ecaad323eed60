//! Counted calls by the node that made them and the method that they called.
//!
//! They have no place in the tree while it is built: a counted call must not change which child of
//! a node was entered last. In a large tree each of them is a read of main memory. So additions are
//! collected and made together: then the processor has many of these reads under way at once.

use crate::build::pair_table::{Pair, PairTable};
use crate::build::tree_builder::Moved;

/// Counted calls of a method from a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub calls: u64,
    /// COUNTED and COUNTED_PAIR records that named the pair first.
    pub records: u64,
}

/// A sum for each pair of node and method id that was met.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountTable {
    sums: PairTable<Counted>,
    /// What [`CountTable::add_later`] has collected.
    pending: Vec<(Pair, Counted)>,
}

/// Additions that are made together.
const BATCH: usize = 64;
/// Fewer pairs are mostly in the processor's cache: then an addition need not wait for others.
const CACHED: usize = 1 << 14;

impl CountTable {
    /// Adds calls of method `id` from `node`, and records.
    pub fn add(&mut self, node: u32, id: u32, calls: u64, records: u64) {
        self.sums.entry(Pair::new(node, id)).add(Counted { calls, records });
    }

    /// [`CountTable::add`], at the latest with [`CountTable::flush`]. Until then no other method
    /// sees it.
    #[inline]
    pub fn add_later(&mut self, node: u32, id: u32, calls: u64, records: u64) {
        let (pair, counted) = (Pair::new(node, id), Counted { calls, records });
        if self.sums.len() < CACHED
            && let Some(place) = self.sums.first_place(pair)
        {
            return self.sums.at(place).add(counted);
        }
        self.pending.push((pair, counted));
        if self.pending.len() == BATCH {
            self.flush();
        }
    }

    /// Makes all additions.
    #[inline(never)]
    pub fn flush(&mut self) {
        let Self { sums, pending } = self;
        let mut found = [None; BATCH];
        for (found, (pair, _)) in found.iter_mut().zip(&*pending) {
            *found = sums.first_place(*pair);
        }
        let pairs = sums.len();
        for (found, (pair, counted)) in found.into_iter().zip(pending.drain(..)) {
            match found.filter(|_| sums.len() == pairs) {
                Some(place) => sums.at(place).add(counted),
                None => sums.entry(pair).add(counted),
            }
        }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.sums.bytes()
    }

    /// Bytes that it takes at most after so many more pairs.
    pub fn bytes_after(&self, pairs: usize) -> usize {
        self.sums.bytes_after(pairs)
    }

    /// Adds up the pairs of nodes that are one after a fold.
    pub fn follow(&mut self, moved: &Moved) {
        self.flush();
        let before = std::mem::take(&mut self.sums);
        for (pair, counted) in before.iter() {
            let node = moved.to(pair.node());
            self.sums.entry(Pair::new(node, pair.other())).add(counted);
        }
    }

    /// All pairs: node, method id, and their sums; in order of both.
    pub fn entries(&self) -> Vec<(u32, u32, Counted)> {
        let mut all: Vec<_> = self.sums.iter().collect();
        all.sort_unstable_by_key(|(pair, _)| *pair);
        all.into_iter().map(|(pair, counted)| (pair.node(), pair.other(), counted)).collect()
    }

    /// All pairs in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, Counted)> + '_ {
        self.sums.iter().map(|(pair, counted)| (pair.node(), pair.other(), counted))
    }
}

impl Counted {
    #[inline]
    fn add(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.records += other.records;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn sums_are_those_of_a_plain_map() {
        assert_sums(|state| (1 + (state & 0xfff), state >> 27));
    }

    #[test]
    fn sums_of_wide_nodes_are_those_of_a_plain_map() {
        assert_sums(|state| (1 + (state & 3), state >> 20));
    }

    #[test]
    fn an_empty_table_has_no_pairs() {
        let mut table = CountTable::default();
        table.flush();
        assert_eq!(table.entries(), []);
    }

    /// Adds calls for 200 000 random pairs of node and id, as `pair` makes them of 32 random bits.
    fn assert_sums(pair: impl Fn(u32) -> (u32, u32)) {
        let mut table = CountTable::default();
        let mut truth: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let ((node, id), calls) = (pair(state as u32), state >> 60);
            match state >> 40 & 1 {
                0 => table.add(node, id, calls, 1),
                _ => table.add_later(node, id, calls, 1),
            }
            let sum = truth.entry((node, id)).or_default();
            *sum = (sum.0 + calls, sum.1 + 1);
        }
        table.flush();
        let found: Vec<_> = table
            .entries()
            .into_iter()
            .map(|(node, id, counted)| ((node, id), (counted.calls, counted.records)))
            .collect();
        assert_eq!(found, truth.into_iter().collect::<Vec<_>>());
    }
}
