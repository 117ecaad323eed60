//! Counted calls by the node that made them and the method that they called.
//!
//! They have no place in the tree while it is built: a counted call must not change which child of
//! a node was entered last. Pairs that come often stay in a small table of recent ones.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Counted calls of a method from a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub calls: u64,
    /// COUNTED and COUNTED_PAIR records that named the pair first.
    pub records: u64,
}

/// Number of recent pairs: as much memory as the second cache level of a processor spares.
const RECENT_BITS: u32 = 11;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// As [`key`]; zero where there is none.
    key: u64,
    counted: Counted,
}

/// A sum for each pair of node and method id that was met.
#[derive(Clone, Debug)]
pub(crate) struct CountTable {
    /// By hash; a pair's sum is what is here and in `others`.
    recent: Box<[Slot]>,
    others: HashMap<u64, Counted, BuildHasherDefault<KeyHasher>>,
}

impl Default for CountTable {
    fn default() -> Self {
        Self {
            recent: vec![Slot::default(); 1 << RECENT_BITS].into_boxed_slice(),
            others: HashMap::default(),
        }
    }
}

/// A pair as one number, which is not zero: no node that counts has the number 0.
fn key(node: u32, id: u32) -> u64 {
    u64::from(node) << 32 | u64::from(id)
}

fn hash(key: u64) -> u64 {
    (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl CountTable {
    /// Adds calls of method `id` from `node`, and records.
    #[inline]
    pub fn add(&mut self, node: u32, id: u32, calls: u64, records: u64) {
        let key = key(node, id);
        let Some(slot) = self.recent.get_mut((hash(key) >> (64 - RECENT_BITS)) as usize) else {
            return;
        };
        if slot.key != key {
            let before = std::mem::replace(slot, Slot { key, counted: Counted::default() });
            put_away(&mut self.others, &before);
        }
        slot.counted.calls = slot.counted.calls.saturating_add(calls);
        slot.counted.records += records;
    }

    /// All pairs with calls or records: node, method id, and their sums; in order of both.
    pub fn entries(&self) -> Vec<(u32, u32, Counted)> {
        let mut all = self.others.clone();
        self.recent.iter().for_each(|slot| put_away(&mut all, slot));
        let mut all: Vec<_> = all
            .into_iter()
            .map(|(key, counted)| ((key >> 32) as u32, key as u32, counted))
            .collect();
        all.sort_unstable_by_key(|(node, id, _)| (*node, *id));
        all
    }
}

#[inline(never)]
fn put_away(to: &mut HashMap<u64, Counted, BuildHasherDefault<KeyHasher>>, slot: &Slot) {
    if slot.counted != Counted::default() {
        let sum = to.entry(slot.key).or_default();
        sum.calls = sum.calls.saturating_add(slot.counted.calls);
        sum.records += slot.counted.records;
    }
}

/// Hashes one 64-bit number of our own making; not for adversaries.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = hash(self.0 ^ value);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn sums_are_those_of_a_plain_map() {
        let mut table = CountTable::default();
        let mut truth: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let (node, id, calls) = (1 + (state as u32 & 0xfff), state as u32 >> 27, state >> 60);
            table.add(node, id, calls, 1);
            let sum = truth.entry((node, id)).or_default();
            *sum = (sum.0 + calls, sum.1 + 1);
        }
        assert!(truth.len() > 1 << RECENT_BITS);
        let found: BTreeMap<(u32, u32), (u64, u64)> = table
            .entries()
            .into_iter()
            .map(|(node, id, counted)| ((node, id), (counted.calls, counted.records)))
            .collect();
        assert_eq!(found, truth);
    }
}
