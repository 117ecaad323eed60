//! Positions in the old and the new code array.

/// A position in the original code array. New positions are [`NewBci`]; the two must not be mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Bci(pub u32);

/// A position in the code array that a [`crate::Splice`] makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NewBci(pub u32);
