//! Times without a processor, until a thread's records ask for them.
//!
//! They are there before the records after them, so each time between two records finds all that
//! lie in it. They are kept as few: what came before all records that are still to come is one
//! span. So a thread that waits often and records nothing takes no memory for it.

mod own_clock;

use std::collections::VecDeque;

use crate::{OffCpu, Ticks};
use own_clock::OwnClock;

/// A part of a thread's time, with how much of it the thread did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffCpuSpan {
    /// Its begin, on the clock of the thread's records.
    pub start: Ticks,
    /// Its end, not before its begin.
    pub end: Ticks,
    /// How the thread spent it; together no more than its length.
    pub parts: OffCpu,
}

/// More spans of one thread are made fewer, if they may be.
const MANY: usize = 64;
/// A record lies in a span by mistake of the clocks alone if it is so close to an end, in ticks:
/// more than a microsecond of any counter.
const CLOSE: u64 = 4096;

/// Spans, each with the round in which it was told.
pub(super) type Spans = VecDeque<(OffCpuSpan, u64)>;

/// What is known of one thread's time after its last record. By default nobody asks for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// Nothing is known of the thread: it has no span so far.
    is_unwatched: bool,
    /// Ascending.
    spans: Spans,
    /// The thread's own clock tells what the spans would.
    own: Option<OwnClock>,
}

impl Pending {
    /// A thread of which nothing is known before it is told: by spans, or by readings of its own
    /// clock, if it is known how many ticks the times have in a second.
    pub fn unwatched(own_clock: Option<u64>) -> Self {
        let own = own_clock.map(OwnClock::new);
        Self { is_unwatched: true, spans: VecDeque::new(), own }
    }

    /// A part of a thread's time on a carrier, which has begun at `since`.
    pub fn of_segment(since: u64, mut spans: Spans) -> Self {
        spans.push_front((OffCpuSpan::unknown_until(since), 0));
        Self { is_unwatched: false, spans, own: None }
    }

    /// Whether records have something to take, or may have.
    pub fn may_split(&self) -> bool {
        self.own.is_some() || self.next() != u64::MAX
    }

    /// The thread's own clock was read: see [`OwnClock`]. None if nobody asks for it.
    pub fn own_clock(&mut self) -> Option<&mut OwnClock> {
        self.own.as_mut()
    }

    /// After this time there may be something to take; the largest number without.
    #[inline]
    pub fn next(&self) -> u64 {
        if let Some(own) = &self.own {
            return if own.has_more() { 0 } else { u64::MAX };
        }
        if self.is_unwatched {
            return 0;
        }
        self.spans.front().map_or(u64::MAX, |(span, _)| span.start.0)
    }

    /// Adds a span, after all others. `round` is that of the builder. `last` is the time of the
    /// thread's last record, or [`super::clock::NO_TIME`] if what came before the next one is
    /// nobody's.
    pub fn add(&mut self, span: OffCpuSpan, round: u64, last: u64) {
        self.is_unwatched = false;
        if self.spans.len() >= MANY {
            self.make_fewer(round, last);
        }
        self.spans.push_back((span, round));
    }

    /// Makes those one that were told before the round before this one, but for what no record asks
    /// for. All records that the thread wrote before were consumed since.
    fn make_fewer(&mut self, round: u64, last: u64) {
        let mut old = self.spans.partition_point(|(_, told)| told.saturating_add(1) < round);
        // Times before the last record must not become a part of those that are asked for.
        while let Some((span, _)) = self.spans.front_mut().filter(|_| old > 0) {
            let _ = span.take_until(last);
            if span.start < span.end {
                break;
            }
            self.spans.pop_front();
            old -= 1;
        }
        let Some((mut all, told)) = self.spans.front().copied().filter(|_| old > 1) else { return };
        for (span, _) in self.spans.drain(1..old) {
            all.end = all.end.max(span.end);
            all.parts += span.parts;
        }
        self.spans[0] = (all, told);
    }

    /// Takes what lies between two times, and forgets what lies before.
    #[cold]
    pub fn take(&mut self, from: u64, to: u64) -> OffCpu {
        if let Some(own) = &mut self.own {
            return own.take(from, to);
        }
        let mut sum = OffCpu::default();
        if self.is_unwatched {
            return OffCpu { unknown: Ticks(to.saturating_sub(from)), ..sum };
        }
        while let Some((span, _)) = self.spans.front_mut().filter(|(span, _)| span.start.0 < to) {
            let (start, end) = (span.start.0, span.end.0);
            if start.saturating_add(CLOSE) < to && end > to.saturating_add(CLOSE) {
                // The thread has written a record in it: a switch is missing.
                span.parts = OffCpu { unknown: span.parts.all(), ..OffCpu::default() };
            }
            // What lies before `from` is nobody's: the time there was taken out.
            let _ = span.take_until(from);
            sum += span.take_until(to);
            if end <= to {
                self.spans.pop_front();
            } else {
                break;
            }
        }
        sum.within(Ticks(to.saturating_sub(from)))
    }

    /// Takes the spans that begin before a time, for a thread that was carried until then.
    pub fn take_spans(&mut self, until: u64) -> Spans {
        if let Some(own) = &mut self.own {
            // The carrier's clock has run for virtual threads, too.
            own.forget();
        }
        if self.is_unwatched || self.own.is_some() {
            return [(OffCpuSpan::unknown_until(until), 0)].into();
        }
        let at = self.spans.partition_point(|(span, _)| span.start.0 < until);
        let later = self.spans.split_off(at);
        std::mem::replace(&mut self.spans, later)
    }
}

impl OffCpuSpan {
    /// A time of which nothing is known.
    pub(super) fn unknown_until(end: u64) -> Self {
        let parts = OffCpu { unknown: Ticks(end), ..OffCpu::default() };
        Self { start: Ticks(0), end: Ticks(end), parts }
    }

    /// Takes what lies before a time, in proportion.
    fn take_until(&mut self, time: u64) -> OffCpu {
        let all = self.end.0.saturating_sub(self.start.0);
        let length = time.min(self.end.0).saturating_sub(self.start.0);
        if length >= all {
            self.start = self.end;
            return std::mem::take(&mut self.parts);
        }
        let share = |part: u64| (u128::from(part) * u128::from(length) / u128::from(all)) as u64;
        // Whoever takes its end has its switches.
        let [preempted, blocked, unknown, _] = self.parts.parts();
        let taken = [share(preempted), share(blocked), share(unknown), 0];
        let mut left = self.parts.parts();
        left.iter_mut().zip(taken).for_each(|(left, taken)| *left = left.saturating_sub(taken));
        self.parts = OffCpu::of_parts(left);
        self.start = Ticks(self.start.0.saturating_add(length));
        OffCpu::of_parts(taken)
    }
}

#[cfg(test)]
mod tests;
