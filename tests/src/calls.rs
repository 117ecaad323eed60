//! Which methods a JVM really calls: the agent of `tests/jvmti`, and its log.

mod agent;
mod log;
#[cfg(test)]
mod tests;

pub use agent::{Mode, agent, library, option};
pub use log::{Call, Loaded, Log};
