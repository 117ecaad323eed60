//! What the agent knows of its JVM, and keeps for the JVM's life.

pub mod program;
pub mod runtime;
pub mod safepoint_time;
