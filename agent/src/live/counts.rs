//! What a session counts.

use jfathom_session::SessionTotals;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number that any thread may add to.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds, and returns the number before.
    pub fn add(&self, more: u64) -> u64 {
        self.0.fetch_add(more, Ordering::Relaxed)
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The parts of [`SessionTotals`] that threads count as they work; each named as there.
#[derive(Debug, Default)]
pub struct SessionCounters {
    pub retransformations: Counter,
    pub batches: Counter,
    pub at_load: Counter,
    pub classes_loaded: Counter,
    pub first_calls: Counter,
    pub late: Counter,
    pub failed: Counter,
    pub pause_nanos: Counter,
    pub hook_nanos: Counter,
    pub restored: Counter,
    pub restored_differently: Counter,
}

/// How often classes were retransformed.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetransformedClasses {
    /// How many classes were.
    pub classes: u64,
    /// The largest count for one class.
    pub most: u64,
}

impl SessionCounters {
    /// All totals. `skipped` are methods that were planned and got no probes.
    pub fn totals(&self, retransformed: RetransformedClasses, skipped: u64) -> SessionTotals {
        SessionTotals {
            retransformations: self.retransformations.get(),
            batches: self.batches.get(),
            retransformed_classes: retransformed.classes,
            most_retransformed: retransformed.most,
            at_load: self.at_load.get(),
            classes_loaded: self.classes_loaded.get(),
            first_calls: self.first_calls.get(),
            late: self.late.get(),
            refused: skipped,
            failed: self.failed.get(),
            pause_nanos: self.pause_nanos.get(),
            hook_nanos: self.hook_nanos.get(),
            restored: self.restored.get(),
            restored_differently: self.restored_differently.get(),
        }
    }
}
