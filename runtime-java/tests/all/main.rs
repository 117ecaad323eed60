//! The runtime in real JVMs.

mod bytecode;
mod clock;
mod live;
mod modes;
mod placement;
mod probe_branches;
mod recording;
mod support;
mod waiting;
