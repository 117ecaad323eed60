//! The profile file: its envelope, its sections, and the forms in which events and runs are stored.
//! A reader believes nothing: each length is bounded before memory is taken, and each fault is a
//! `FileError`.

pub(crate) mod body;
pub(crate) mod envelope;
pub(crate) mod file;
pub(crate) mod file_error;
pub(crate) mod sections;
pub(crate) mod stored_events;
pub(crate) mod stored_runs;
