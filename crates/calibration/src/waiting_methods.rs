//! Which of a profile's methods wait, and how long.

use jfathom_profile::{Frame, MethodIx, NodeIx, Profile, Tree};

use crate::fitted;

/// The methods of a profile that wait for other threads or for a time.
#[derive(Debug)]
pub(crate) struct WaitingMethods {
    /// By method.
    is_wait: Vec<bool>,
    nanos_per_tick: f64,
}

impl WaitingMethods {
    /// `nanos_per_tick` is that of the profile's clock.
    pub(crate) fn new(profile: &Profile, nanos_per_tick: f64) -> Self {
        let is_wait = profile.methods.iter().map(|method| method.info.waits).collect();
        Self { is_wait, nanos_per_tick }
    }

    /// Whether a method waits.
    #[inline]
    pub(crate) fn is_wait(&self, method: MethodIx) -> bool {
        self.is_wait.get(method.0 as usize) == Some(&true)
    }

    /// How much of a node's own measured time is waiting for other threads, in nanoseconds.
    #[inline]
    pub(crate) fn nanos(&self, tree: &Tree, node: NodeIx) -> f64 {
        match tree.frame(node) {
            Frame::Method(method) if self.is_wait(method) => {
                let self_nanos = tree.self_time(node).0 as f64 * self.nanos_per_tick;
                let calls = tree.timed(node).max(1) as f64;
                let is_long = self_nanos >= fitted::SHORTEST_WAIT_NANOS * calls;
                if is_long { self_nanos } else { 0.0 }
            }
            _ => 0.0,
        }
    }
}
