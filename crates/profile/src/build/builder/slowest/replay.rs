//! The spans of one call, from the log of its thread.
//!
//! Frames begin and end as in the tree: what [`Feed`](super::super::feed::Feed) does with a node,
//! this does with a span.

use jfathom_plan::MethodId;
use jfathom_trace::record::{Record, TIME_MASK, is_flushed};

use super::log::{Log, MOST_RECORDS, Piece, Start};
use super::{Ended, Kept};
use crate::build::builder::clock::NO_TIME;
use crate::build::excluded_times::ExcludedTimes;
use crate::model::slowest::is_nested;
use crate::{HandOff, HandOffs, Quality, Ticks, model::frame};

/// A span with a method id.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawSpan {
    /// Packed.
    pub frame: u32,
    pub depth: u32,
    pub began: u64,
    pub duration: u64,
    pub records_before: u64,
    pub records: u64,
    pub counted: u64,
    pub thrown: bool,
    /// Whether it is [`crate::SpanKind::Counted`].
    pub is_counted: bool,
    /// Whether `counted` has all calls that were counted in it.
    pub is_flushed: bool,
}

/// A thread that goes through its records once more.
struct Replay {
    at: Start,
    /// The program's time when the call began.
    origin: u64,
    /// Open spans, outermost first.
    open: Vec<usize>,
    spans: Vec<RawSpan>,
    hand_offs: HandOffs,
    /// The clock's time when the call began; none before that.
    began: Option<u64>,
    excluded: ExcludedTimes,
    /// Irregular times are counted already.
    ignored: Quality,
}

/// The call with its spans; none if its records are not there, or are others.
pub(super) fn replay(log: &Log, ended: &Ended) -> Option<Kept> {
    let Ended { path, open, now } = ended;
    let records = now.records.checked_sub(open.records)?;
    let duration = now.time.saturating_sub(open.time);
    let mut pieces = log.since(open.records).peekable();
    let at = pieces.peek()?.start;
    let (origin, ignored) = (0, Quality::default());
    let (open_spans, spans, hand_offs) = Default::default();
    let (began, excluded) = Default::default();
    let mut replay =
        Replay { at, origin, open: open_spans, spans, hand_offs, began, excluded, ignored };
    let words = pieces.flat_map(|Piece { start, words }| {
        let numbered = (start.records..).zip(words);
        numbered.map(move |(number, word)| (start, number, *word))
    });
    let most = records.min(MOST_RECORDS as u64 - 1);
    let last = open.records.saturating_add(most);
    let mut shown = 0;
    for (start, number, word) in words.take_while(|(_, number, _)| *number <= last) {
        if number == start.records {
            replay.at = *start;
        }
        let before = number.checked_sub(open.records);
        replay.step(word, before.unwrap_or(0));
        if before == Some(0) {
            replay.began = replay.begin(word);
        }
        shown += u64::from(before.is_some());
    }
    replay.end_open(0, duration, records);
    let Replay { mut spans, hand_offs, began, excluded, .. } = replay;
    let top = spans.first_mut()?;
    (top.duration, top.records) = (duration, records);
    let is_sound =
        path.last() == Some(&top.frame) && is_nested(spans.iter().map(|span| span.depth));
    let left_out = (records + 1).saturating_sub(shown);
    let began = began.filter(|_| is_sound)?;
    let of_call =
        Kept { began, duration, records, left_out, spans, hand_offs, excluded, ..Kept::default() };
    Some(of_call)
}

impl Replay {
    /// The record before, `word`, was the entry of the call. Returns its time.
    fn begin(&mut self, word: u64) -> Option<u64> {
        let low = match Record::decode(word)? {
            Record::Entry { time, .. } | Record::TaskOpen { time, .. } => time,
            _ => return None,
        };
        let first = self.spans.pop()?;
        self.spans.clear();
        self.spans.push(RawSpan { depth: 0, began: 0, counted: 0, ..first });
        self.open = vec![0];
        self.hand_offs = HandOffs::default();
        self.origin = self.at.clock.now();
        // The clock may be ahead by excluded time.
        Some(self.at.clock.high | low & TIME_MASK)
    }

    /// Consumes a record with so many of the call's before it.
    fn step(&mut self, word: u64, before: u64) {
        match Record::decode(word) {
            Some(Record::Entry { id, time }) => {
                self.pass(time);
                self.open(id.get(), before, is_flushed(word));
            }
            Some(Record::Return { id, time }) => {
                self.pass(time);
                self.exit(id, before, false);
            }
            Some(Record::Throw { id, time }) => {
                self.pass(time);
                self.exit(id, before, true);
            }
            Some(Record::Caught { id, time }) => {
                self.advance(time);
                if let Some(place) = self.find(id.get()) {
                    self.end_open(place + 1, self.now(), before);
                }
            }
            Some(Record::TaskOpen { id, time }) => {
                self.advance(time);
                self.open(frame::pack(frame::TASK, id.get()), before, true);
            }
            Some(Record::TaskClose { id, time }) => {
                self.advance(time);
                if let Some(place) = self.find(frame::pack(frame::TASK, id.get())) {
                    self.end_open(place, self.now(), before);
                }
            }
            Some(Record::HandOff { number, time }) => {
                self.advance(time);
                self.hand_offs.made.push(HandOff { number, after: Ticks(self.now()) });
            }
            Some(Record::TaskNumber { number, time }) => {
                self.advance(time);
                let is_of_all = self.open.len() == 1
                    && self.spans.first().is_some_and(|of| frame::kind(of.frame) == frame::TASK);
                if is_of_all {
                    self.hand_offs.task = number;
                }
            }
            Some(Record::Counted { calls, .. }) => self.add_counted(calls),
            Some(Record::CountedPair { methods }) => {
                methods.iter().for_each(|(_, calls)| self.add_counted(*calls));
            }
            Some(Record::ThreadStart { high, .. }) => {
                self.at.clock.set_high(high, false);
            }
            Some(Record::TimeHigh { high }) => {
                let moved = self.at.clock.set_high(high, true);
                self.origin = self.origin.wrapping_add(moved);
            }
            Some(Record::Adjust { ticks }) => self.at.clock.exclude(ticks),
            _ => {}
        }
    }

    /// The program's time since the call began.
    fn now(&self) -> u64 {
        self.at.clock.now().saturating_sub(self.origin)
    }

    /// A time of an entry or exit.
    fn pass(&mut self, low: u64) {
        let clock = &mut self.at.clock;
        let time = clock.high | low & TIME_MASK;
        clock.last = match time >= clock.last {
            true => time,
            false => clock.irregular(clock.last, time, &mut self.ignored),
        };
        if let Some(began) = self.began {
            self.excluded.told(time.saturating_sub(began), self.now());
        }
    }

    /// A coarse time.
    fn advance(&mut self, low: u64) {
        let clock = &self.at.clock;
        if clock.last == NO_TIME || clock.high | low & TIME_MASK > clock.last {
            self.pass(low);
        }
    }

    fn open(&mut self, frame: u32, before: u64, is_flushed: bool) {
        let span = RawSpan {
            frame,
            depth: self.open.len() as u32,
            began: self.now(),
            duration: 0,
            records_before: before,
            records: 0,
            counted: 0,
            thrown: false,
            is_counted: false,
            is_flushed,
        };
        self.open.push(self.spans.len());
        self.spans.push(span);
    }

    fn exit(&mut self, id: MethodId, before: u64, thrown: bool) {
        if let Some(place) = self.find(id.get()) {
            if let Some(span) = self.open.get(place).and_then(|at| self.spans.get_mut(*at)) {
                span.thrown = thrown;
            }
            self.end_open(place, self.now(), before);
        }
    }

    /// Place of the innermost open span of this frame.
    fn find(&self, frame: u32) -> Option<usize> {
        self.open.iter().rposition(|at| self.spans.get(*at).is_some_and(|of| of.frame == frame))
    }

    /// Ends the open spans from this place on.
    fn end_open(&mut self, place: usize, now: u64, before: u64) {
        for at in self.open.drain(place.min(self.open.len())..) {
            if let Some(span) = self.spans.get_mut(at) {
                span.duration = now.saturating_sub(span.began);
                span.records = before.saturating_sub(span.records_before);
            }
        }
    }

    /// Adds counted calls to the innermost flushed span. Without one they may be of before.
    fn add_counted(&mut self, calls: u64) {
        let Self { open, spans, .. } = self;
        let is_flushed = |at: &usize| spans.get(*at).is_some_and(|span| span.is_flushed);
        let at = open.iter().rev().copied().find(is_flushed);
        if let Some(span) = at.and_then(|at| spans.get_mut(at)) {
            span.counted = span.counted.saturating_add(calls);
        }
    }
}
