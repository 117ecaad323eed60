//! A hash table by two numbers, with linear probing: a value mostly takes one read of memory.

/// A value for each pair that was met.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairTable<V> {
    /// At least one of them is empty, unless there are none.
    slots: Vec<Slot<V>>,
    pairs: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot<V> {
    pair: Pair,
    value: V,
}

/// A node, and a method id or frame, as one number that is larger by one. Zero is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair(u64);

/// Slots of the first table.
const FIRST_SLOTS: usize = 64;
/// In a table with fewer slots a quarter of them is used, so that most pairs are in their first
/// place. In a larger one, which takes memory, four fifths are.
const SMALL_SLOTS: usize = 1 << 16;

impl Pair {
    const NONE: Self = Self(0);

    /// The last node there can be has no pair with `u32::MAX`: memory ends before.
    #[inline]
    pub fn new(node: u32, other: u32) -> Self {
        Self((u64::from(node) << 32 | u64::from(other)).wrapping_add(1))
    }

    pub fn node(self) -> u32 {
        (self.0.wrapping_sub(1) >> 32) as u32
    }

    pub fn other(self) -> u32 {
        self.0.wrapping_sub(1) as u32
    }

    /// Where the search for it begins, in a table of so many slots.
    #[inline]
    fn place(self, slots: usize) -> usize {
        // Not safe against chosen keys, which nodes, ids and frames are not.
        let hash = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((u128::from(hash) * slots as u128) >> 64) as usize
    }
}

impl<V: Copy + Default> PairTable<V> {
    /// Where the search for a pair begins, if it is there. True until a pair is added.
    #[inline]
    pub fn first_place(&self, pair: Pair) -> Option<usize> {
        let place = pair.place(self.slots.len());
        self.slots.get(place).is_some_and(|slot| slot.pair == pair).then_some(place)
    }

    /// The value at a place that [`PairTable::first_place`] has found.
    #[inline]
    pub fn at(&mut self, place: usize) -> &mut V {
        &mut self.slots[place].value
    }

    /// The value of a pair.
    pub fn get(&self, pair: Pair) -> Option<V> {
        let slot = &self.slots[self.find(pair)?];
        (slot.pair == pair).then_some(slot.value)
    }

    /// The value of a pair, for changing it; added if it is missing.
    pub fn entry(&mut self, pair: Pair) -> &mut V {
        let found = self.find(pair).filter(|at| self.slots[*at].pair == pair);
        let at = match found {
            Some(at) => at,
            None => self.add(pair),
        };
        &mut self.slots[at].value
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<V>>()
    }

    /// Bytes that it takes at most after so many more pairs: while it grows, both the old and the
    /// new slots are there.
    pub fn bytes_after(&self, pairs: usize) -> usize {
        let (mut slots, mut bytes) = (self.slots.len(), self.bytes());
        while let Some(grown) = grown(self.pairs + pairs, slots) {
            bytes = bytes.max((slots + grown) * size_of::<Slot<V>>());
            slots = grown;
        }
        bytes
    }

    /// Pairs in the table.
    pub fn len(&self) -> usize {
        self.pairs
    }

    /// All pairs with their values, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Pair, V)> + '_ {
        let used = self.slots.iter().filter(|slot| slot.pair != Pair::NONE);
        used.map(|slot| (slot.pair, slot.value))
    }

    /// The slot of a pair, or the empty one where it belongs; none if there are no slots.
    fn find(&self, pair: Pair) -> Option<usize> {
        let first = pair.place(self.slots.len());
        let (before, after) = self.slots.split_at_checked(first)?;
        let ends = |slot: &Slot<V>| slot.pair == pair || slot.pair == Pair::NONE;
        match after.iter().position(ends) {
            Some(at) => Some(first + at),
            None => before.iter().position(ends),
        }
    }

    /// Adds a new pair, and returns its slot.
    #[cold]
    fn add(&mut self, pair: Pair) -> usize {
        if let Some(slots) = grown(self.pairs + 1, self.slots.len()) {
            let old = std::mem::replace(&mut self.slots, vec![Slot::default(); slots]);
            for slot in old.into_iter().filter(|slot| slot.pair != Pair::NONE) {
                self.put(slot);
            }
        }
        self.pairs += 1;
        self.put(Slot { pair, value: V::default() })
    }

    fn put(&mut self, slot: Slot<V>) -> usize {
        let at = self.find(slot.pair).expect("a slot is empty");
        self.slots[at] = slot;
        at
    }
}

/// How many slots there must be for so many pairs, if those that there are do not suffice: one step
/// of growth.
fn grown(pairs: usize, slots: usize) -> Option<usize> {
    let (is_full, grown) = match slots < SMALL_SLOTS {
        true => (pairs > slots / 4, slots * 2),
        false => (pairs * 5 > slots * 4, slots / 2 * 3),
    };
    is_full.then(|| grown.max(FIRST_SLOTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_again() {
        let mut table = PairTable::<u32>::default();
        assert_eq!((table.get(Pair::new(1, 2)), table.first_place(Pair::new(1, 2))), (None, None));
        let value = |pair: Pair| pair.node() * 100 + pair.other() % 97;
        let others = || (0..50).chain([u32::MAX]);
        let pairs =
            || (0..200).flat_map(move |node| others().map(move |other| Pair::new(node, other)));
        assert_eq!(table.get(Pair::new(0, 0)), None);
        pairs().for_each(|pair| *table.entry(pair) += value(pair));
        pairs().for_each(|pair| *table.entry(pair) += 1);
        assert_eq!(table.len(), pairs().count());
        let mut all: Vec<(Pair, u32)> = table.iter().collect();
        all.sort_unstable();
        let expected = pairs().map(|pair| (pair, value(pair) + 1));
        assert_eq!(all, expected.collect::<Vec<_>>());
        for (pair, value) in all {
            assert_eq!(table.get(pair), Some(value));
            if let Some(place) = table.first_place(pair) {
                assert_eq!(*table.at(place), value);
            }
        }
        assert_eq!(table.get(Pair::new(200, 0)), None);
    }
}
