//! Sums over the tree of each thread, before any correction.

use jfathom_profile::{Frame, NodeIx, Tree};

use crate::waits::WaitingMethods;

/// The sums over the tree below a thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RootSums {
    pub root: NodeIx,
    /// Index in the profile's table, which need not have it.
    pub thread: usize,
    /// Timed and counted calls.
    pub calls: f64,
    /// Measured total time in nanoseconds.
    pub measured_nanos: f64,
    /// The part of it that waits for other threads.
    pub waits_nanos: f64,
}

/// The sums of all threads, in the order of the tree.
pub(crate) fn root_sums(
    tree: &Tree,
    waiting: &WaitingMethods,
    nanos_per_tick: f64,
) -> Vec<RootSums> {
    let sums = |root: NodeIx| {
        let Frame::Thread(thread) = tree.frame(root) else { return None };
        let (mut calls, mut waits_nanos) = (0.0, 0.0);
        for node in tree.subtree(root).map(NodeIx) {
            calls += tree.calls(node) as f64;
            waits_nanos += waiting.nanos(tree, node);
        }
        let measured_nanos = tree.total_time(root).0 as f64 * nanos_per_tick;
        Some(RootSums { root, thread: thread.0 as usize, calls, measured_nanos, waits_nanos })
    };
    tree.roots().filter_map(sums).collect()
}
