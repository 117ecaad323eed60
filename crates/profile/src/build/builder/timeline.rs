//! The call that a thread was in at a moment.

use std::collections::HashMap;

use super::call_log::{Call, Calls, Logged};
use crate::Ticks;

/// Most parts of one interval. What comes after them is one part more, in no call.
const MOST_PARTS: usize = 256;

/// A node of a builder, until the builder consumes more records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BuilderNode(pub(crate) u32);

/// All calls of a recording that took long enough, by thread, to place moments and intervals in
/// them. Its times are those of the session's clock, with excluded time in them.
#[derive(Debug)]
pub struct Timeline {
    resolution: Ticks,
    unknown: u64,
    threads: HashMap<u64, ThreadCalls>,
}

/// Part of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The innermost call all the time; none outside of all calls.
    pub node: Option<BuilderNode>,
    /// Where the part begins.
    pub begin: Ticks,
    /// Where the part ends.
    pub end: Ticks,
}

/// The calls of one thread.
#[derive(Debug)]
struct ThreadCalls {
    calls: Calls,
    /// By call, the index of the call around it; [`OUTERMOST`] without one.
    around: Vec<u32>,
}

const OUTERMOST: u32 = u32::MAX;

impl ThreadCalls {
    fn new(mut calls: Calls) -> Self {
        calls.sort();
        let all = calls.all();
        let mut around = vec![OUTERMOST; all.len()];
        // From the last end on: the calls that lie around the next one, innermost last.
        let mut open: Vec<u32> = Vec::new();
        for (at, call) in (0..all.len() as u32).zip(all).rev() {
            let contains = |outer: u32| all[outer as usize].begin() <= call.begin();
            while open.last().is_some_and(|outer| !contains(*outer)) {
                open.pop();
            }
            around[at as usize] = open.last().copied().unwrap_or(OUTERMOST);
            open.push(at);
        }
        Self { calls, around }
    }

    fn call(&self, at: u32) -> Option<Call> {
        self.calls.all().get(at as usize).copied()
    }

    fn around(&self, at: u32) -> u32 {
        self.around.get(at as usize).copied().unwrap_or(OUTERMOST)
    }

    /// The innermost call at a time in units, and up to when it is that.
    fn innermost(&self, units: u64) -> (Option<Call>, u64) {
        // The first call that ends later is the innermost one, or lies with the calls around it
        // behind the time, up to one that contains both.
        let first = self.calls.all().partition_point(|call| call.end() <= units) as u32;
        let (mut at, mut until) = (first, u64::MAX);
        while let Some(call) = self.call(at) {
            if call.begin() <= units {
                return (Some(call), until.min(call.end()));
            }
            until = call.begin();
            at = self.around(at);
        }
        (None, until)
    }
}

impl Timeline {
    pub(super) fn new(logged: Logged) -> Self {
        let Logged { least, threads, unknown } = logged;
        let threads = threads.into_iter().map(|(id, calls)| (id, ThreadCalls::new(calls)));
        Self { resolution: Ticks(least), unknown, threads: threads.collect() }
    }

    /// All calls of this length and more are there. What lies in shorter ones is found in the calls
    /// around them.
    pub fn resolution(&self) -> Ticks {
        self.resolution
    }

    /// Calls that are not there, since records of their thread are missing.
    pub fn unknown_calls(&self) -> u64 {
        self.unknown
    }

    /// The threads with calls, by their ids in the JVM, in no order; each with the begin of its
    /// first call.
    pub fn threads(&self) -> impl Iterator<Item = (u64, Ticks)> {
        self.threads.iter().map(|(id, of)| (*id, Ticks(of.calls.base())))
    }

    /// When the last call of a thread has ended; the largest number if one is open.
    pub fn last_end(&self, thread: u64) -> Ticks {
        let last = self.threads.get(&thread).and_then(|of| Some((of, of.calls.all().last()?)));
        last.map_or(Ticks(0), |(of, call)| Ticks(of.calls.ticks(call.end())))
    }

    /// The innermost call in which a thread was at a time; none outside of all calls.
    pub fn innermost(&self, thread: u64, time: Ticks) -> Option<BuilderNode> {
        let of = self.threads.get(&thread).filter(|of| of.calls.base() <= time.0)?;
        let (call, _) = of.innermost(of.calls.units(time.0));
        call.map(|call| BuilderNode(call.node()))
    }

    /// Splits an interval of a thread's time where its innermost call changes. The parts follow
    /// each other from `begin` to `end`; none of them is empty.
    pub fn parts(&self, thread: u64, begin: Ticks, end: Ticks) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut from = begin;
        let of = self.threads.get(&thread);
        while let Some(of) = of.filter(|_| from < end && parts.len() < MOST_PARTS) {
            let base = of.calls.base();
            let (call, until) = match from.0 < base {
                true => (None, Ticks(base)),
                false => {
                    let units = of.calls.units(from.0);
                    let (call, until) = of.innermost(units);
                    // A unit is entered at its begin, so that this ends.
                    (call, Ticks(of.calls.ticks(until.max(units + 1))))
                }
            };
            let node = call.map(|call| BuilderNode(call.node()));
            let until = until.min(end);
            match parts.last_mut().filter(|last| last.node == node) {
                Some(last) => last.end = until,
                None => parts.push(Part { node, begin: from, end: until }),
            }
            from = until;
        }
        if from < end {
            parts.push(Part { node: None, begin: from, end });
        }
        parts
    }
}

#[cfg(test)]
mod tests;
