//! An index of the children of nodes that have many.
//!
//! A slot has the child's number and a part of its hash. Parent and frame stand in the node, so a
//! child takes eight bytes and the room that is kept free.

use super::Node;

/// Children by parent and frame, with linear probing.
#[derive(Clone, Debug, Default)]
pub(super) struct ChildIndex {
    /// At least one of them is empty, unless there are none.
    slots: Vec<Slot>,
    used: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Zero for an empty slot.
    child: u32,
    /// The lower half of the hash.
    tag: u32,
}

const FIRST_SLOTS: usize = 64;

/// Not safe against chosen keys, which nodes and frames are not.
#[inline]
fn hash(parent: u32, frame: u32) -> u64 {
    let key = u64::from(parent) << 32 | u64::from(frame);
    let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl ChildIndex {
    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// Bytes that it takes at most after so many more children: while it grows, both the old and
    /// the new slots are there.
    pub fn bytes_after(&self, children: usize) -> usize {
        let (mut slots, mut bytes) = (self.slots.len(), self.bytes());
        while is_full(self.used + children, slots) {
            let grown = grown(slots);
            bytes = bytes.max((slots + grown) * size_of::<Slot>());
            slots = grown;
        }
        bytes
    }

    /// The child of a parent for a frame.
    #[inline]
    pub fn get(&self, nodes: &[Node], parent: u32, frame: u32) -> Option<u32> {
        let slot = self.slots.get(self.find(nodes, parent, frame)?)?;
        (slot.child != 0).then_some(slot.child)
    }

    /// Adds a child that is in `nodes`, unless it is here.
    pub fn add(&mut self, nodes: &[Node], child: u32) {
        if is_full(self.used + 1, self.slots.len()) {
            let slots = vec![Slot::default(); grown(self.slots.len())];
            for slot in std::mem::replace(&mut self.slots, slots) {
                if slot.child != 0 {
                    self.put(nodes, slot.child);
                }
            }
        }
        self.used += usize::from(self.put(nodes, child));
    }

    /// Puts a child into its slot; false if it is there.
    fn put(&mut self, nodes: &[Node], child: u32) -> bool {
        let Some(Node { parent, frame, .. }) = nodes.get(child as usize) else { return false };
        let found = self.find(nodes, *parent, *frame);
        let Some(slot) = found.and_then(|at| self.slots.get_mut(at)) else { return false };
        let is_new = slot.child == 0;
        *slot = Slot { child, tag: hash(*parent, *frame) as u32 };
        is_new
    }

    /// The slot of a child, or the empty one where it belongs; none if there are no slots.
    #[inline]
    fn find(&self, nodes: &[Node], parent: u32, frame: u32) -> Option<usize> {
        let hash = hash(parent, frame);
        let first = ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize;
        let (before, after) = self.slots.split_at_checked(first)?;
        let ends = |slot: &Slot| {
            slot.child == 0
                || slot.tag == hash as u32 && {
                    let node = &nodes[slot.child as usize];
                    node.parent == parent && node.frame == frame
                }
        };
        match after.iter().position(ends) {
            Some(at) => Some(first + at),
            None => before.iter().position(ends),
        }
    }
}

/// Whether so many children do not fit into so many slots: four fifths of them are used.
fn is_full(children: usize, slots: usize) -> bool {
    children * 5 > slots * 4
}

fn grown(slots: usize) -> usize {
    (slots / 2 * 3).max(FIRST_SLOTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn children_are_those_of_a_plain_map() {
        let node = |parent, frame| Node {
            frame,
            parent,
            child: 0,
            next: 0,
            calls: 0,
            self_ticks: 0,
            notable: 1,
        };
        let mut nodes = vec![node(0, u32::MAX)];
        let mut index = ChildIndex::default();
        let mut truth = HashMap::new();
        let mut state = 7_u64;
        for _ in 0..20_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let (parent, frame) = (state as u32 % 50, (state >> 32) as u32 % 300);
            let known = truth.get(&(parent, frame)).copied();
            assert_eq!(index.get(&nodes, parent, frame), known);
            if known.is_none() {
                let child = nodes.len() as u32;
                let most = index.bytes_after(1);
                nodes.push(node(parent, frame));
                index.add(&nodes, child);
                assert!(index.bytes() <= most);
                truth.insert((parent, frame), child);
            }
            let again = state as usize % nodes.len();
            if again != 0 {
                index.add(&nodes, again as u32);
            }
        }
        assert_eq!(index.used, truth.len());
    }
}
