//! The calls of all threads that took long enough, logged as they end: what a timeline is made of.
//!
//! A call is logged at its exit, so the calls of a thread are in the order of their ends, and each
//! comes after those that it contains. Memory has a bound. When the calls would pass it, the
//! shortest are dropped, and from then on only calls of twice the length are logged.

mod calls;
mod exclusions;

use std::collections::HashMap;

pub(super) use self::calls::{Call, Calls};
pub(super) use self::exclusions::Exclusions;
use super::thread::Open;
use super::thread::ThreadState;
use crate::build::tree_builder::Moved;

/// Bytes of a thread with calls, beside those of its calls.
const THREAD_BYTES: usize = 128;

/// The calls of all threads.
#[derive(Debug)]
pub(super) struct CallLog {
    /// Calls of so many ticks or more are logged; the largest number if none is.
    least: u64,
    max_bytes: usize,
    bytes: usize,
    /// By the thread's id in the JVM.
    threads: HashMap<u64, Calls>,
    /// Calls whose times are not known, since records of their thread are missing.
    unknown: u64,
}

impl Default for CallLog {
    fn default() -> Self {
        Self { least: u64::MAX, max_bytes: 0, bytes: 0, threads: HashMap::new(), unknown: 0 }
    }
}

impl Clone for CallLog {
    /// A copy of a builder is for a checkpoint or a profile, and neither needs the calls.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What a log has when nothing more is added.
#[derive(Debug)]
pub(super) struct Logged {
    pub least: u64,
    pub threads: HashMap<u64, Calls>,
    pub unknown: u64,
}

impl CallLog {
    /// Memory of the calls.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Logs calls of so many ticks or more from now on, in so many bytes.
    pub fn begin(&mut self, least: u64, max_bytes: usize) {
        *self = Self { least: least.clamp(1, u64::MAX - 1), max_bytes, ..Self::default() };
    }

    /// Whether calls are logged.
    pub fn is_on(&self) -> bool {
        self.least != u64::MAX
    }

    /// A call of so many ticks, without excluded time, must be logged.
    #[inline(always)]
    pub fn least(&self) -> u64 {
        self.least
    }

    /// Logs a call that ends now, if it took long enough.
    pub fn add(&mut self, state: &ThreadState, node: u32, open: Open, now: Open) {
        if !self.is_on() {
            return;
        }
        // The times since a gap may have other high bits.
        if open.time == Open::UNKNOWN || state.clock.is_high_stale {
            self.unknown = self.unknown.saturating_add(1);
            return;
        }
        let (begin, last) = (state.began(open), now.time.saturating_add(state.clock.excluded));
        let end = state.clock.told(last);
        // In a pause that is known late no time of the program passes.
        let length = if end < last { end.saturating_sub(begin) } else { 0 };
        if now.time.saturating_sub(open.time).max(length) < self.least {
            return;
        }
        self.push(state, node, begin, end);
    }

    /// Logs the calls of a thread that have not ended. `nodes` are theirs, innermost first.
    pub fn add_open(&mut self, state: &ThreadState, nodes: impl Iterator<Item = u32>) {
        for (open, node) in state.open.iter().rev().zip(nodes) {
            if open.time != Open::UNKNOWN && !state.clock.is_high_stale {
                self.push(state, node, state.began(*open), u64::MAX);
            }
        }
    }

    fn push(&mut self, state: &ThreadState, node: u32, begin: u64, end: u64) {
        let calls = self.threads.entry(state.thread_id).or_insert_with(|| {
            self.bytes += THREAD_BYTES;
            // The thread's calls that are logged later have begun no earlier than this one.
            let outermost = state.open.iter().find(|open| open.time != Open::UNKNOWN);
            Calls::since(outermost.map_or(begin, |open| begin.min(state.began(*open))))
        });
        self.bytes += calls.push(node, begin, end);
        if self.bytes > self.max_bytes {
            self.drop_short();
        }
    }

    /// Drops the shortest calls until there is room for more.
    #[cold]
    fn drop_short(&mut self) {
        while self.bytes > self.max_bytes && self.least < u64::MAX / 2 {
            self.least *= 2;
            self.bytes = 0;
            self.threads.retain(|_, calls| {
                calls.drop_shorter(self.least);
                self.bytes += if calls.is_empty() { 0 } else { calls.bytes() + THREAD_BYTES };
                !calls.is_empty()
            });
        }
        self.threads.shrink_to_fit();
    }

    /// Finds the nodes where they are after a fold.
    pub fn follow(&mut self, moved: &Moved) {
        self.threads.values_mut().for_each(|calls| calls.follow(moved));
    }

    /// Ends the log.
    pub fn take(&mut self) -> Logged {
        let Self { least, threads, unknown, .. } = std::mem::take(self);
        Logged { least, threads, unknown }
    }
}
