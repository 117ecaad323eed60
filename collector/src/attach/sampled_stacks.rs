//! Stacks of a running JVM, sampled by its own thread dumps, and the roots that they suggest.
//!
//! No agent is loaded. The JVM prints its threads on request (`Thread.print`), at a safepoint. Each
//! stack is read, those of idle threads are put aside, and the rest shows where time goes.

mod frame;
mod idle;
mod proposal;
mod request_entries;
mod sampler;
mod stacks;
mod thread_dump;

pub use proposal::{Hotspot, ProposedRoot, RootKind, RootProposal};
pub use sampler::sample;
pub use stacks::SampledStacks;

#[cfg(test)]
mod tests;
