//! The slowest calls of roots, tasks and named methods, kept while records are consumed.
//!
//! Each thread logs its records since the outermost open call. When a call of a watched node ends
//! that is slower than those kept so far, its records become spans. Most calls are not, so the
//! usual cost is that of a copy.

mod between;
pub(super) mod log;
mod replay;

use std::collections::BTreeMap;

use self::log::{Log, Start};
use self::replay::{RawSpan, replay};
use super::thread::Open;
use super::thread::ThreadState;
use crate::build::excluded_times::ExcludedTimes;
use crate::{Activation, Frame, HandOffs, MethodIx, Span, SpanKind, ThreadIx, Ticks, model::frame};

/// Most spans of all kept calls: 112 MiB.
const MOST_SPANS: usize = 1 << 21;
/// Most memory of all logs, in words: 128 MiB.
const MOST_LOGGED: usize = 1 << 24;

/// The slowest calls by call path.
#[derive(Clone, Debug)]
pub(super) struct Slowest {
    /// How many of each call path.
    most: usize,
    /// By call path below the thread, packed.
    kept: BTreeMap<Vec<u32>, OfPath>,
    /// Calls that have ended and whose records are still to be looked at.
    ended: Vec<Ended>,
    /// Spans of all kept calls.
    spans: usize,
    most_spans: usize,
    /// Memory of the logs of all threads, in words.
    logged: usize,
    most_logged: usize,
}

impl Default for Slowest {
    fn default() -> Self {
        Self {
            most: 0,
            kept: BTreeMap::new(),
            ended: Vec::new(),
            spans: 0,
            most_spans: MOST_SPANS,
            logged: 0,
            most_logged: MOST_LOGGED,
        }
    }
}

/// The slowest calls of one call path, slowest first.
#[derive(Clone, Debug, Default)]
struct OfPath {
    calls: Vec<Kept>,
    /// What all need, in spans.
    spans: usize,
}

/// One of the slowest calls. It has no spans if there was no room for its records.
#[derive(Clone, Debug, Default)]
struct Kept {
    /// Number of its thread in the builder.
    thread: u32,
    thread_id: u64,
    began: u64,
    duration: u64,
    records: u64,
    left_out: u64,
    spans: Vec<RawSpan>,
    hand_offs: HandOffs,
    excluded: ExcludedTimes,
}

impl Kept {
    /// What it needs, in spans.
    fn size(&self) -> usize {
        self.spans.len() + self.hand_offs.made.len() + self.excluded.len()
    }
}

/// A call of a watched node that has ended.
#[derive(Clone, Debug)]
struct Ended {
    path: Vec<u32>,
    open: Open,
    now: Open,
}

impl OfPath {
    /// Gives up the spans of the fastest call that has any, and returns how many they were.
    fn shed(&mut self) -> usize {
        let fastest = self.calls.iter_mut().rev().find(|call| !call.spans.is_empty());
        let shed = fastest.map_or(0, |call| {
            let size = call.size();
            (call.spans, call.hand_offs, call.excluded) = Default::default();
            size
        });
        self.spans -= shed;
        shed
    }
}

impl Slowest {
    /// Keeps so many of each call path from now on.
    pub fn keep(&mut self, most: usize) {
        self.most = most;
    }

    /// How many of each call path are kept.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Nothing is kept or logged so far, and as many will be.
    pub fn emptied(&self) -> Self {
        let Self { most, most_spans, most_logged, .. } = *self;
        Self { most, most_spans, most_logged, ..Self::default() }
    }

    /// Takes over a thread from another one of these.
    pub fn adopt(&mut self, log: &mut Log) -> Log {
        self.logged = self.logged.saturating_add(log.size());
        std::mem::take(log)
    }

    /// Forgets the records of a thread: none of its open calls can be kept.
    pub fn forget(&mut self, log: &mut Log) {
        self.logged = self.logged.saturating_sub(log.size());
        log.clear();
    }

    /// A call of a watched node has ended after so many ticks.
    pub fn ended(&mut self, path: impl FnOnce() -> Vec<u32>, open: Open, now: Open, ticks: u64) {
        if self.most == 0 {
            return;
        }
        let path = path();
        let kept = self.kept.get(&path);
        let is_slow = kept.is_none_or(|OfPath { calls, .. }| {
            calls.len() < self.most || calls.last().is_some_and(|last| last.duration < ticks)
        });
        if is_slow {
            self.ended.push(Ended { path, open, now });
        }
    }

    /// A thread has consumed these records. Looks at the calls that have ended with one of them.
    pub fn consumed(
        &mut self,
        thread: u32,
        state: &mut ThreadState,
        (start, words): (Start, &[u64]),
    ) {
        let before = state.log.size();
        state.log.push(start, words, state.clock.high);
        for ended in std::mem::take(&mut self.ended) {
            let duration = ended.now.time.saturating_sub(ended.open.time);
            let kept = replay(&state.log, &ended);
            // Without its spans it keeps its place: no faster call is among the slowest for that.
            let kept = kept.unwrap_or_else(|| Kept { duration, ..Kept::default() });
            self.insert(ended.path, Kept { thread, thread_id: state.thread_id, ..kept });
        }
        match state.open.first() {
            Some(outermost) => state.log.forget_before(outermost.records),
            None => state.log.clear(),
        }
        let others = self.logged.saturating_sub(before);
        while others.saturating_add(state.log.size()) > self.most_logged && state.log.size() > 0 {
            state.log.shed();
        }
        self.logged = others.saturating_add(state.log.size());
    }

    fn insert(&mut self, path: Vec<u32>, call: Kept) {
        let of_path = self.kept.entry(path).or_default();
        let at = of_path.calls.partition_point(|other| other.duration >= call.duration);
        let before = of_path.spans;
        of_path.spans += call.size();
        of_path.calls.insert(at, call);
        while of_path.calls.len() > self.most {
            of_path.spans -= of_path.calls.pop().map_or(0, |fastest| fastest.size());
        }
        self.spans = self.spans + of_path.spans - before;
        while self.spans > self.most_spans {
            // Paths with few spans keep theirs.
            let Some(largest) = self.kept.values_mut().max_by_key(|of| of.spans) else { return };
            match largest.shed() {
                0 => return,
                shed => self.spans -= shed,
            }
        }
    }

    /// How many of the slowest calls have no spans.
    pub fn without_spans(&self) -> u64 {
        let calls = self.kept.values().flat_map(|of| &of.calls);
        calls.filter(|call| call.spans.is_empty()).count() as u64
    }

    /// The frames of all spans of what is kept, with repetitions.
    pub fn frames(&self) -> impl Iterator<Item = u32> {
        let calls = self.kept.values().flat_map(|of| &of.calls);
        calls.flat_map(|call| &call.spans).map(|span| span.frame)
    }

    /// The excluded time in each kept call that has any, by its thread and its begin.
    pub fn excluded(&self) -> impl Iterator<Item = ((u64, Ticks), ExcludedTimes)> {
        let calls = self.kept.values().flat_map(|of| &of.calls);
        let calls = calls.filter(|call| call.excluded.len() > 0);
        calls.map(|call| ((call.thread_id, Ticks(call.began)), call.excluded.clone()))
    }

    /// What is kept, with other frames; without calls of which a frame has no other.
    pub fn activations(&self, frame: impl Fn(u32) -> Option<u32>) -> Vec<Activation> {
        let span = |span: &RawSpan| {
            let packed = frame(span.frame)?;
            Some(Span {
                method: MethodIx(frame::value(packed)),
                kind: match span.is_counted {
                    true => SpanKind::Counted,
                    false if frame::kind(packed) == frame::TASK => SpanKind::Task,
                    false => SpanKind::Call,
                },
                depth: span.depth,
                began: Ticks(span.began),
                duration: Ticks(span.duration),
                records_before: span.records_before,
                records: span.records,
                counted: span.counted,
                thrown: span.thrown,
            })
        };
        let all = self.kept.iter();
        let all = all.flat_map(|(path, of)| of.calls.iter().map(move |call| (path, call)));
        all.filter(|(_, call)| !call.spans.is_empty())
            .filter_map(|(path, kept)| {
                let path = path.iter().map(|packed| Frame::unpack(frame(*packed)?));
                Some(Activation {
                    path: path.collect::<Option<_>>()?,
                    thread: ThreadIx(kept.thread),
                    thread_id: kept.thread_id,
                    began: Ticks(kept.began),
                    duration: Ticks(kept.duration),
                    records: kept.records,
                    left_out: kept.left_out,
                    spans: kept.spans.iter().map(span).collect::<Option<_>>()?,
                    hand_offs: kept.hand_offs.clone(),
                    events: Vec::new(),
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
