//! The agent in its JVM: how a session begins and ends, and what the agent does at each event.

pub mod agent;
mod agent_thread;
mod collector_process;
mod companion;
mod error;
pub mod events;
mod first_calls;
mod preconditions;
mod sampling;
mod start;
mod stop;
