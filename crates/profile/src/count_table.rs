//! Counted calls by the node that made them and the method that they called.
//!
//! They have no place in the tree while it is built: a counted call must not change which child of
//! a node was entered last. Each node has a list of its pairs instead. The pairs of a node were
//! often made together, and then lie together in memory. Long lists also have an index.

use crate::pair_map::PairMap;

/// Counted calls of a method from a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub calls: u64,
    /// COUNTED and COUNTED_PAIR records that named the pair first.
    pub records: u64,
}

/// A sum for each pair of node and method id that was met.
#[derive(Clone, Debug)]
pub(crate) struct CountTable {
    /// By node: the first pair of its list, or [`END`]; shorter if the later nodes have none.
    heads: Vec<u32>,
    /// The first one is no pair, so that no list has the index [`END`].
    pairs: Vec<Pair>,
    /// Index of long lists, by node and method id. Such a node also has an entry for [`NO_ID`].
    wide: PairMap,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    id: u32,
    /// The node's next pair, or [`END`].
    next: u32,
    counted: Counted,
}

/// The end of a list.
const END: u32 = 0;
/// A pair found behind so many others moves to the front of its list.
const NEAR: u32 = 3;
/// Pairs that are compared behind the first before the index is searched.
const MAX_SCAN: u32 = 16;
/// No method's id.
const NO_ID: u32 = u32::MAX;

impl Default for CountTable {
    fn default() -> Self {
        let none = Pair { id: NO_ID, next: END, counted: Counted::default() };
        Self { heads: Vec::new(), pairs: vec![none], wide: PairMap::default() }
    }
}

impl CountTable {
    /// Adds calls of method `id` from `node`, and records.
    #[inline]
    pub fn add(&mut self, node: u32, id: u32, calls: u64, records: u64) {
        let first = self.heads.get(node as usize).copied().unwrap_or(END);
        let pair = &mut self.pairs[first as usize];
        if pair.id == id {
            pair.counted.add(calls, records);
        } else {
            self.add_behind(node, first, id, calls, records);
        }
    }

    /// [`CountTable::add`] for a pair that is not the first of its list.
    #[inline(never)]
    fn add_behind(&mut self, node: u32, first: u32, id: u32, calls: u64, records: u64) {
        let (mut before, mut distance) = (first, 0);
        while before != END {
            let at = self.pairs[before as usize].next;
            if at == END {
                break;
            }
            if distance == MAX_SCAN {
                return self.add_wide(node, first, id, Counted { calls, records });
            }
            distance += 1;
            let pair = &mut self.pairs[at as usize];
            if pair.id == id {
                pair.counted.add(calls, records);
                if distance > NEAR {
                    let next = std::mem::replace(&mut pair.next, first);
                    self.pairs[before as usize].next = next;
                    self.heads[node as usize] = at;
                }
                return;
            }
            before = at;
        }
        self.insert(node, first, id, Counted { calls, records });
    }

    /// [`CountTable::add`] for a node with a long list, whose first pair is `first`.
    #[inline(never)]
    fn add_wide(&mut self, node: u32, first: u32, id: u32, counted: Counted) {
        if self.wide.insert((node, NO_ID), END).is_none() {
            let mut at = first;
            while at != END {
                let pair = self.pairs[at as usize];
                self.wide.insert((node, pair.id), at);
                at = pair.next;
            }
        }
        if let Some(at) = self.wide.get(&(node, id)) {
            self.pairs[*at as usize].counted.add(counted.calls, counted.records);
        } else {
            let at = self.insert(node, first, id, counted);
            self.wide.insert((node, id), at);
        }
    }

    /// Puts a new pair before the node's first pair, and returns its place.
    fn insert(&mut self, node: u32, first: u32, id: u32, counted: Counted) -> u32 {
        let node = node as usize;
        if self.heads.len() <= node {
            self.heads.resize(node + 1, END);
        }
        let at = u32::try_from(self.pairs.len()).expect("4 G pairs are 96 GiB of memory");
        self.pairs.push(Pair { id, next: first, counted });
        self.heads[node] = at;
        at
    }

    /// The counted calls from a node, each with the id of the method called; in no order.
    pub fn of_node(&self, node: u32) -> impl Iterator<Item = (u32, Counted)> + '_ {
        let mut at = self.heads.get(node as usize).copied().unwrap_or(END);
        std::iter::from_fn(move || {
            let pair = self.pairs.get(at as usize).filter(|_| at != END)?;
            at = pair.next;
            Some((pair.id, pair.counted))
        })
    }

    /// All pairs: node, method id, and their sums; in order of both.
    pub fn entries(&self) -> Vec<(u32, u32, Counted)> {
        let mut all = Vec::with_capacity(self.pairs.len());
        for node in 0..self.heads.len() as u32 {
            let begin = all.len();
            all.extend(self.of_node(node).map(|(id, counted)| (node, id, counted)));
            all[begin..].sort_unstable_by_key(|(_, id, _)| *id);
        }
        all
    }
}

impl Counted {
    #[inline]
    fn add(&mut self, calls: u64, records: u64) {
        self.calls = self.calls.saturating_add(calls);
        self.records += records;
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
            table.add(node, id, calls, 1);
            let sum = truth.entry((node, id)).or_default();
            *sum = (sum.0 + calls, sum.1 + 1);
        }
        let found: Vec<_> = table
            .entries()
            .into_iter()
            .map(|(node, id, counted)| ((node, id), (counted.calls, counted.records)))
            .collect();
        assert_eq!(found, truth.into_iter().collect::<Vec<_>>());
    }
}
