//! Whether allocated bytes were recorded, and how.

use jfathom_trace::AllocatedBy;
use serde::{Deserialize, Serialize};

use crate::Bytes;
use crate::model::sources::both_sources;

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
