//! The state of one session: a few types, each with its own locks.
pub mod class_changes;
pub mod first_calls;
pub mod journal;
pub mod loaded_classes;
mod modes;
pub mod pending;
pub mod phase;
pub mod sampling;
pub mod session;
pub mod session_file;
