//! Profiles added up, subtracted and gated.

mod algebra;
mod diff;
mod gate;
mod merging;
