//! The status of a recording, a few times a second.

use crate::{Status, drain::progress::Progress, run::jvm::Jvm};
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// How often the status is given.
const PERIOD: Duration = Duration::from_millis(250);

/// When the last status was given, and the records by then.
pub(super) struct StatusTimer {
    at: Instant,
    records: u64,
}

impl StatusTimer {
    pub(super) fn new(begun: Instant) -> Self {
        Self { at: begun, records: 0 }
    }

    /// The next status; none if it is not time for one. `begun` is the begin of the recording.
    pub(super) fn next(&mut self, begun: Instant, jvms: &[Jvm]) -> Option<Status> {
        let since = self.at.elapsed();
        if since < PERIOD {
            return None;
        }
        let sum = |field: fn(&Progress) -> &AtomicU64| -> u64 {
            jvms.iter().map(|jvm| field(jvm.progress()).load(Ordering::Relaxed)).sum()
        };
        let records = sum(|progress| &progress.records);
        let new = records - self.records;
        *self = Self { at: Instant::now(), records };
        Some(Status {
            elapsed: begun.elapsed(),
            jvms: jvms.len(),
            records,
            records_per_second: new as f64 / since.as_secs_f64(),
            threads: sum(|progress| &progress.threads),
            nodes: sum(|progress| &progress.nodes),
        })
    }
}
