//! The session file: the shared memory between the Java runtime that records and the Rust consumer that takes records.

pub mod layout;
