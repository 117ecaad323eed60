//! Profiles added up, subtracted and gated.

mod algebra;
mod cpu;
mod diff;
mod gate;
mod merging;
mod walks;
