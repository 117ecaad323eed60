//! The agent in its JVM: how a session begins and ends, and what happens at each event.

pub mod agent;
pub mod agent_thread;
pub mod collector_process;
pub mod events;
pub mod first_calls;
pub mod preconditions;
pub mod start;
