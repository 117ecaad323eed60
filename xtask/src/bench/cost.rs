//! What a recording costs the program: ahead of time and live.

pub mod columns;
pub mod live;
pub mod overhead;
pub mod slowdown;
pub mod steady;
