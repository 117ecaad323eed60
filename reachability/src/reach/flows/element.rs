//! One type in a set.

use crate::ClassId;

/// What a set holds: an exact class, or all of [`OUTSIDE`](super::OUTSIDE) that is of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Element(pub(super) u32);

impl Element {
    pub(super) const fn exact(class: ClassId) -> Self {
        Self(class.0 << 1)
    }

    pub(super) const fn outside(class: ClassId) -> Self {
        Self(class.0 << 1 | 1)
    }

    pub(super) const fn class(self) -> ClassId {
        ClassId(self.0 >> 1)
    }

    pub(super) const fn is_exact(self) -> bool {
        self.0 & 1 == 0
    }
}
