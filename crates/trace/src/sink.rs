//! Receivers of records.

use jfathom_plan::MethodId;

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

    /// What the ring's thread has counted in all its time: calls of counted methods, for each
    /// method that has any. Comes once, right before `end`. The numbers are the file's word:
    /// adding them up may overflow.
    fn counted(&mut self, _ring: RingIx, _counts: &[(MethodId, u64)]) {}

    /// The ring's thread has ended, or its JVM has.
    fn end(&mut self, ring: RingIx);

    /// The ring cannot be read and is not touched from here on. Not called in the middle of a
    /// thread without `end` before.
    fn damaged(&mut self, ring: RingIx, error: TraceError);
}
