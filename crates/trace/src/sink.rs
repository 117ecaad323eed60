//! Receivers of records.

use jfathom_plan::MethodId;

use crate::counters::Counter;
use crate::descriptor::{RingIx, ThreadInfo};
use crate::error::TraceError;

/// Takes the records of one JVM. Calls for one ring come in the order: `begin`, `records` any
/// number of times, `counted` at most once, `end`.
pub trait Sink {
    /// A thread begins to use the ring. `lost` records of it, or more, cannot be had any more:
    /// those that follow begin in the middle.
    fn begin(&mut self, ring: RingIx, thread: &ThreadInfo, lost: u64);

    /// Records of the ring's thread, in order.
    fn records(&mut self, ring: RingIx, words: &[u64]);

    /// The counters of the ring's thread: calls of counted methods that have no record, for each
    /// method that has any. Comes at most once, right before `end`.
    fn counted(&mut self, _ring: RingIx, _counters: &[(MethodId, Counter)]) {}

    /// The ring's thread has ended, or its JVM has.
    fn end(&mut self, ring: RingIx);

    /// All rings were read once: of each at least what was there when the round began. So what a
    /// thread has written in one ring before it wrote in another was given no later than in the
    /// round after the other's.
    fn round(&mut self) {}

    /// The ring cannot be read and is not touched from here on. Not called in the middle of a
    /// thread without `end` before.
    fn damaged(&mut self, ring: RingIx, error: TraceError);
}
