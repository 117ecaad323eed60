//! Facts about the JVM that the agent keeps for the JVM's life, and the JVM's own recorder.

pub mod debugger;
pub mod program;
pub mod recorder;
pub mod runtime;
pub mod safepoint_time;
