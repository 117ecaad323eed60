//! How far the recording of a JVM is.

use std::sync::atomic::{AtomicBool, AtomicU64};

/// Progress of a draining thread, for other threads.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Records consumed so far. Written by the draining thread, for display.
    pub records: AtomicU64,
    /// Threads seen so far. Written by the draining thread, for display.
    pub threads: AtomicU64,
    /// Nodes of the tree so far. Written by the draining thread, for display.
    pub nodes: AtomicU64,
    /// Whether the recording must end though the JVM may run on. Set by the main thread, once.
    pub stop: AtomicBool,
    /// Slices that have ended and are on no disk. Raised by the draining thread, lowered by who
    /// writes them. Until it is zero no checkpoint takes the place of one that has the slice.
    pub unwritten: AtomicU64,
    /// Slices that have ended and were not tried to be written so far. Raised by the draining
    /// thread, lowered by who writes them.
    pub waiting: AtomicU64,
    /// How often a slice did not end because too many were waiting. Raised by the draining thread.
    pub late_cuts: AtomicU64,
}
