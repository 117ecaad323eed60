//! What a JVM counts from its session's begin on.

use std::collections::HashMap;

use jfathom_plan::MethodId;
use jfathom_trace::LossCounters;
use serde::{Deserialize, Serialize};

/// What a JVM has counted from its session's begin to some moment, or between two moments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionCounts {
    /// Losses, hand-offs, and the like.
    #[serde(with = "StoredCounters")]
    pub counters: LossCounters,
    /// Calls on virtual threads that are in no tree, by method.
    pub virtual_calls: Vec<(MethodId, u64)>,
}

impl SessionCounts {
    /// What has come since an earlier look.
    #[must_use]
    pub fn since(self, before: &Self) -> Self {
        let known: HashMap<MethodId, u64> = before.virtual_calls.iter().copied().collect();
        let calls = |(id, calls): (MethodId, u64)| {
            let new = calls.saturating_sub(known.get(&id).copied().unwrap_or(0));
            (new != 0).then_some((id, new))
        };
        Self {
            counters: self.counters.since(&before.counters),
            virtual_calls: self.virtual_calls.into_iter().filter_map(calls).collect(),
        }
    }
}

/// Where a slice of a recording begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceStart {
    /// See [`crate::Slice::recording`].
    pub recording: u64,
    /// When the slice began, in ms since the Unix epoch.
    pub began_millis: u64,
    /// What the JVM had counted by then: that is in earlier slices.
    pub before: SessionCounts,
}

/// [`LossCounters`] as a checkpoint has them.
#[derive(Serialize, Deserialize)]
#[serde(remote = "LossCounters")]
struct StoredCounters {
    lost_records: u64,
    lost_rings: u64,
    virtual_calls: u64,
    handed_off: u64,
    not_followed: u64,
    second_runtimes: u64,
    threads_seen: u64,
    outside_span: u64,
    info_dropped: u64,
    waits: u64,
    lost_counts: u64,
    lost_waiting: u64,
    lost_ringless: u64,
    lost_overflow: u64,
    lost_threads: u64,
    silent_ends: u64,
    unattributed_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_before_is_not_counted_again() {
        let id = |id| MethodId::new(id).expect("an id");
        let counts = |waits, virtual_calls: &[(u32, u64)]| SessionCounts {
            counters: LossCounters { waits, ..LossCounters::default() },
            virtual_calls: virtual_calls.iter().map(|(of, calls)| (id(*of), *calls)).collect(),
        };
        let before = counts(3, &[(1, 5), (2, 7)]);
        let now = counts(4, &[(1, 5), (2, 9), (3, 1)]);
        assert_eq!(now.since(&before), counts(1, &[(2, 2), (3, 1)]));
    }
}
