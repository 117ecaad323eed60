//! Counted calls by the node that made them and the method that they called.
//!
//! They have no place in the tree while it is built: a counted call must not change which child of
//! a node was entered last. They are in a hash table with linear probing, where a pair mostly takes
//! one read of memory. Additions are collected and made together: then the processor has many of
//! these reads under way at once.

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
    /// Any number of slots, at least one of them empty unless there are none.
    slots: Vec<Slot>,
    pairs: usize,
    /// What [`CountTable::add_later`] has collected.
    pending: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    pair: Pair,
    counted: Counted,
}

/// A node and a method id. Zero is none: no node has that number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Pair(u64);

/// Additions that are made together.
const BATCH: usize = 64;
/// Slots of the first table.
const FIRST_SLOTS: usize = 1024;

impl Pair {
    const NONE: Self = Self(0);

    fn new(node: u32, id: u32) -> Self {
        Self(u64::from(node) << 32 | u64::from(id))
    }

    fn node(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn id(self) -> u32 {
        self.0 as u32
    }

    /// Where the search for it begins, in a table of so many slots.
    #[inline]
    fn place(self, slots: usize) -> usize {
        // Not safe against chosen keys, which nodes and ids are not.
        let hash = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (u128::from(hash) * slots as u128 >> 64) as usize
    }
}

impl CountTable {
    /// Adds calls of method `id` from `node`, and records. Nodes begin at 1.
    pub fn add(&mut self, node: u32, id: u32, calls: u64, records: u64) {
        self.add_to(Pair::new(node, id), Counted { calls, records });
    }

    /// [`CountTable::add`], at the latest with [`CountTable::flush`]. Until then no other method
    /// sees it.
    #[inline]
    pub fn add_later(&mut self, node: u32, id: u32, calls: u64, records: u64) {
        let (pair, counted) = (Pair::new(node, id), Counted { calls, records });
        self.pending.push(Slot { pair, counted });
        if self.pending.len() == BATCH {
            self.flush();
        }
    }

    /// Makes all additions.
    #[inline(never)]
    pub fn flush(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        let mut found = [None; BATCH];
        for (found, addition) in found.iter_mut().zip(&pending) {
            let place = addition.pair.place(self.slots.len());
            let is_there = self.slots.get(place).is_some_and(|slot| slot.pair == addition.pair);
            *found = is_there.then_some(place);
        }
        let slots = self.slots.len();
        for (found, Slot { pair, counted }) in found.into_iter().zip(&pending) {
            match found.filter(|_| self.slots.len() == slots) {
                Some(place) => self.slots[place].counted.add(*counted),
                None => self.add_to(*pair, *counted),
            }
        }
        pending.clear();
        self.pending = pending;
    }

    fn add_to(&mut self, pair: Pair, counted: Counted) {
        if let Some(found) = self.find(pair) {
            let slot = &mut self.slots[found];
            if slot.pair == pair {
                return slot.counted.add(counted);
            }
        }
        self.insert(pair, counted);
    }

    /// The slot of a pair, or the empty one where it belongs; none if there are no slots.
    fn find(&self, pair: Pair) -> Option<usize> {
        let first = pair.place(self.slots.len());
        let (before, after) = self.slots.split_at_checked(first)?;
        let ends = |slot: &Slot| slot.pair == pair || slot.pair == Pair::NONE;
        match after.iter().position(ends) {
            Some(at) => Some(first + at),
            None => before.iter().position(ends),
        }
    }

    #[cold]
    fn insert(&mut self, pair: Pair, counted: Counted) {
        // At most four of five slots are in use.
        if (self.pairs + 1) * 5 > self.slots.len() * 4 {
            let slots = (self.slots.len() / 2 * 3).max(FIRST_SLOTS);
            let old = std::mem::replace(&mut self.slots, vec![Slot::default(); slots]);
            for slot in old.into_iter().filter(|slot| slot.pair != Pair::NONE) {
                self.put(slot);
            }
        }
        self.pairs += 1;
        self.put(Slot { pair, counted });
    }

    /// Puts a new pair into its slot.
    fn put(&mut self, new: Slot) {
        if let Some(slot) = self.find(new.pair).and_then(|at| self.slots.get_mut(at)) {
            *slot = new;
        }
    }

    /// All pairs: node, method id, and their sums; in order of both.
    pub fn entries(&self) -> Vec<(u32, u32, Counted)> {
        let mut all: Vec<_> = self.iter().collect();
        all.sort_unstable_by_key(|(node, id, _)| Pair::new(*node, *id));
        all
    }

    /// All pairs in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, Counted)> + '_ {
        let used = self.slots.iter().filter(|slot| slot.pair != Pair::NONE);
        used.map(|slot| (slot.pair.node(), slot.pair.id(), slot.counted))
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
