//! The logged calls of one thread, in 16 bytes each.

use crate::build::tree_builder::Moved;

/// Times are kept in units of so many bits less: 5 ns of a counter of 3 GHz.
const UNIT_SHIFT: u32 = 4;
/// Bits of a time: 17 days of such a counter. What is longer ends there.
const TIME_BITS: u32 = 48;
const MOST: u64 = (1 << TIME_BITS) - 1;
const NODE_BITS: u32 = 32;

/// The calls of a thread, in the order of their ends; those that it contains before a call.
#[derive(Debug)]
pub(in crate::build::builder) struct Calls {
    /// No call has begun before.
    base: u64,
    calls: Vec<Call>,
}

/// Begin, length and node.
#[derive(Clone, Copy, Debug)]
pub(in crate::build::builder) struct Call {
    /// Begin, then the upper bits of the length.
    begin: u64,
    /// Lower bits of the length, then the node.
    node: u64,
}

const UPPER_BITS: u32 = u64::BITS - TIME_BITS;
const LOWER_BITS: u32 = u64::BITS - NODE_BITS;

impl Call {
    fn new(begin: u64, end: u64, node: u32) -> Self {
        let begin = begin.min(MOST);
        let length = end.min(MOST).saturating_sub(begin);
        Self {
            begin: begin << UPPER_BITS | length >> LOWER_BITS,
            node: length << NODE_BITS | u64::from(node),
        }
    }

    /// In units since the thread's base.
    pub fn begin(self) -> u64 {
        self.begin >> UPPER_BITS
    }

    /// In units.
    pub fn length(self) -> u64 {
        let upper = self.begin & ((1 << UPPER_BITS) - 1);
        upper << LOWER_BITS | self.node >> NODE_BITS
    }

    /// In units since the thread's base.
    pub fn end(self) -> u64 {
        self.begin() + self.length()
    }

    pub fn node(self) -> u32 {
        self.node as u32
    }
}

impl Calls {
    /// No calls. Those that come have begun no earlier than `base`, in ticks.
    pub fn since(base: u64) -> Self {
        Self { base, calls: Vec::new() }
    }

    /// Adds a call that ends after all others, and returns by how many bytes its place has grown
    /// the list.
    pub fn push(&mut self, node: u32, begin: u64, end: u64) -> usize {
        let before = self.calls.capacity();
        if self.calls.len() == before {
            self.calls.reserve_exact((before / 2).max(4));
        }
        self.calls.push(Call::new(self.units(begin), self.units(end), node));
        (self.calls.capacity() - before) * size_of::<Call>()
    }

    /// A time in units since the base; zero if it lies before.
    pub fn units(&self, ticks: u64) -> u64 {
        ticks.saturating_sub(self.base) >> UNIT_SHIFT
    }

    /// The tick at which a unit begins.
    pub fn ticks(&self, units: u64) -> u64 {
        self.base.saturating_add(units << UNIT_SHIFT)
    }

    pub fn base(&self) -> u64 {
        self.base
    }

    pub fn all(&self) -> &[Call] {
        &self.calls
    }

    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    pub fn bytes(&self) -> usize {
        self.calls.capacity() * size_of::<Call>()
    }

    /// Drops the calls of less than so many ticks.
    pub fn drop_shorter(&mut self, ticks: u64) {
        self.calls.retain(|call| call.length() >= ticks >> UNIT_SHIFT);
        self.calls.shrink_to_fit();
    }

    pub fn follow(&mut self, moved: &Moved) {
        for call in &mut self.calls {
            let node = moved.to(call.node());
            call.node = call.node >> NODE_BITS << NODE_BITS | u64::from(node);
        }
    }

    /// Puts the calls into the order of their ends, if times have gone backwards.
    pub fn sort(&mut self) {
        if !self.calls.is_sorted_by_key(|call| call.end()) {
            self.calls.sort_by_key(|call| call.end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_its_times_to_the_unit_and_its_node() {
        assert_eq!(size_of::<Call>(), 16);
        let mut calls = Calls::since(1000);
        let long = 5 << 40;
        calls.push(u32::MAX, 1000 + 160, 1000 + 160 + long);
        calls.push(7, 0, u64::MAX);
        let [first, second] = calls.all() else { panic!() };
        assert_eq!((calls.ticks(first.begin()), first.length() << 4), (1160, long));
        assert_eq!((first.node(), second.node()), (u32::MAX, 7));
        assert_eq!((second.begin(), second.end()), (0, MOST));
    }
}
