//! Who told a column of the tree, or why nobody did: allocated bytes and parked times.

use jfathom_trace::AllocatedBy;
use serde::{Deserialize, Serialize};

use crate::Bytes;

/// What is known of the bytes that threads have allocated on the Java heap, beside those of the
/// nodes ([`crate::NodeNumbers::allocated`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocation {
    /// How the JVM was asked.
    pub source: AllocationSource,
    /// Bytes that are in no node: allocated outside of recorded methods, or by carriers of virtual
    /// threads between the records of two threads, of which one was inside a root.
    pub unattributed: Bytes,
}

/// How allocated bytes were read. All ways give the JVM's own, exact numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AllocationSource {
    /// Nobody asked for them: there are none.
    #[default]
    Unasked,
    /// From fields of the JVM's thread structure.
    Fields,
    /// From the JVM's management bean.
    Bean,
    /// In some JVMs from fields, in others from the bean.
    Either,
    /// Not in all recordings that were added up: sums are too small.
    Partly,
}

impl Allocation {
    /// That of two recordings together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            source: self.source.and(other.source),
            unattributed: self.unattributed + other.unattributed,
        }
    }

    /// Whether any recording has allocated bytes.
    pub fn is_recorded(self) -> bool {
        self.source != AllocationSource::Unasked
    }

    /// Whether all recordings have them.
    pub fn is_whole(self) -> bool {
        self.is_recorded() && self.source != AllocationSource::Partly
    }
}

impl AllocationSource {
    fn and(self, other: Self) -> Self {
        both_sources([self, other], Self::Unasked, Self::Partly, Self::Either)
    }
}

impl From<Option<AllocatedBy>> for AllocationSource {
    fn from(way: Option<AllocatedBy>) -> Self {
        match way {
            None => Self::Unasked,
            Some(AllocatedBy::Fields) => Self::Fields,
            Some(AllocatedBy::Bean) => Self::Bean,
        }
    }
}

/// Whether it was seen when virtual threads were parked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mounts {
    /// Nobody asked for it: there are no parked times.
    #[default]
    Unasked,
    /// In the whole recording: what is no parked time is running time.
    Seen,
    /// Not in all of it: parked times are too short.
    Partly,
}

impl Mounts {
    /// That of two recordings together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Partly }
    }
}

/// What two recordings together say: `partly` if in one of them nobody asked, `mixed` if both asked
/// and were told by different sources, or one by none.
pub(crate) fn both_sources<S: Copy + PartialEq>(
    sides: [S; 2],
    unasked: S,
    partly: S,
    mixed: S,
) -> S {
    let [one, other] = sides;
    match one == other {
        true => one,
        false if sides.contains(&unasked) || sides.contains(&partly) => partly,
        false => mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_says_what_it_lacks() {
        let both = |one, other| both_sources([one, other], "unasked", "partly", "mixed");
        for (one, other, expected) in [
            ("unasked", "unasked", "unasked"),
            ("perf", "perf", "perf"),
            ("perf", "refused", "mixed"),
            ("mixed", "perf", "mixed"),
            ("unasked", "perf", "partly"),
            ("partly", "refused", "partly"),
        ] {
            assert_eq!((both(one, other), both(other, one)), (expected, expected));
        }
    }
}
