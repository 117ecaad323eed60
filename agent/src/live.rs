//! The state of one session.

pub mod loaded_classes;
pub mod session;
