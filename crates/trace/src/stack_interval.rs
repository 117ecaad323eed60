//! Places of the table of intervals at which stacks are walked.

use crate::layout as l;

/// A place in `HEADER_STACK_INTERVALS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackIntervalIx(u8);

impl StackIntervalIx {
    /// The place with this number; none if the table has no such place.
    pub fn new(place: usize) -> Option<Self> {
        u8::try_from(place).ok().filter(|place| u32::from(*place) < l::STACK_INTERVALS).map(Self)
    }

    /// The bits of a mode byte that refer to it, with `MODE_STACK`.
    pub fn mode_bits(self) -> u8 {
        l::MODE_STACK as u8 | self.0 << l::MODE_INTERVAL_SHIFT
    }

    /// The offset of its word in the header.
    pub fn offset(self) -> usize {
        l::HEADER_STACK_INTERVALS + size_of::<u32>() * usize::from(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_of_all_places_differ_from_those_of_modes_and_triggers() {
        let places: Vec<StackIntervalIx> = (0..100).filter_map(StackIntervalIx::new).collect();
        assert_eq!(places.len(), jfathom_plan::ProbeRules::MOST_INTERVALS);
        let mut bits: Vec<u8> = places.iter().map(|place| place.mode_bits()).collect();
        let others = (l::MODE_MASK | l::MODE_FIRST_CALL) as u8;
        assert!(bits.iter().all(|bits| bits & others == 0 && (*bits as i8) < 0));
        bits.sort_unstable();
        bits.dedup();
        assert_eq!(bits.len(), 16);
        let last = places[15].offset() + size_of::<u32>();
        assert!(last <= l::HEADER_COLLECTOR_STATE, "{last}");
    }
}
