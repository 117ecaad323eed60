//! Profiles added up, subtracted and gated.

mod algebra;
mod between;
mod cpu;
mod diff;
mod gate;
mod merging;
mod walks;
