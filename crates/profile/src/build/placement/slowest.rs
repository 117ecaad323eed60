//! Events of the slowest calls.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Taken, TimedEvent, apart, in_order};
use crate::{Activation, EventKind, EventName, EventSum, SlowCallClocks, Span, SpanEvent, Ticks};

/// Gives the slowest calls the events that were in them, by their times: each in the innermost
/// timed call that was open then. As the times of these are without excluded time, so are the
/// events': `clocks` are those of the builder that the calls are of.
pub fn place_in_slowest(
    calls: &mut [Activation],
    clocks: &SlowCallClocks,
    events: Vec<TimedEvent>,
) {
    let threads: HashSet<u64> = calls.iter().map(|call| call.thread_id).collect();
    let mut by_thread: HashMap<u64, Vec<TimedEvent>> = HashMap::new();
    let mut pauses = Vec::new();
    for event in events {
        match event.thread {
            Some(thread) if threads.contains(&thread) => {
                by_thread.entry(thread).or_default().push(event);
            }
            Some(_) => {}
            None => pauses.push(event),
        }
    }
    let pauses = apart(pauses);
    for call in calls {
        let own = by_thread.get(&call.thread_id).map(Vec::as_slice).unwrap_or_default();
        let clock = clocks.of(call.thread_id, call.began);
        let (first, last) = (call.began, clock.end(call.duration));
        let is_within = |event: &&TimedEvent| match event.name.kind {
            EventKind::Exception => (first..=last).contains(&event.begin),
            _ => event.begin < last && event.end > first,
        };
        let clipped = |event: &TimedEvent| TimedEvent {
            begin: clock.program(event.begin.max(first)),
            end: clock.program(event.end.min(last)),
            ..event.clone()
        };
        let within = own.iter().chain(&pauses).filter(is_within).map(clipped).collect();
        call.events = of_call(call, within);
    }
}

fn of_call(call: &Activation, events: Vec<TimedEvent>) -> Vec<SpanEvent> {
    let open = OpenSpans::of(&call.spans);
    let at = |moment: u64| open.innermost(moment.saturating_sub(call.began.0));
    let mut sums: BTreeMap<(u32, EventName), EventSum> = BTreeMap::new();
    let mut taken = Taken::default();
    for event in in_order(events) {
        if event.name.kind == EventKind::Exception {
            let sum = EventSum { count: 1, time: Ticks(0) };
            sums.entry((at(event.begin.0), event.name)).or_default().add(sum);
            continue;
        }
        let mut times: BTreeMap<u32, u64> = BTreeMap::new();
        for (begin, end) in taken.claim(event.begin.0, event.end.0) {
            // A thread that stands still makes no calls: its middle is surely in the right one.
            *times.entry(at(begin.midpoint(end))).or_default() += end - begin;
        }
        let Some((most, _)) = times.iter().max_by_key(|(_, time)| **time) else { continue };
        let most = *most;
        for (span, time) in times {
            let sum = EventSum { count: u64::from(span == most), time: Ticks(time) };
            sums.entry((span, event.name.clone())).or_default().add(sum);
        }
    }
    let rows = sums.into_iter();
    rows.map(|((span, name), sum)| SpanEvent { span, name, sum }).collect()
}

/// The spans of a call, and in which other one each of them is.
struct OpenSpans<'a> {
    spans: &'a [Span],
    callers: Vec<u32>,
}

impl<'a> OpenSpans<'a> {
    fn of(spans: &'a [Span]) -> Self {
        let mut stack: Vec<u32> = Vec::new();
        let callers = (0..).zip(spans).map(|(at, span)| {
            stack.truncate(span.depth as usize);
            let caller = stack.last().copied().unwrap_or(0);
            stack.push(at);
            caller
        });
        Self { spans, callers: callers.collect() }
    }

    /// The place of the innermost span that is open so long after the first one has begun; 0, the
    /// call itself, if none is.
    fn innermost(&self, after: u64) -> u32 {
        let begun = self.spans.partition_point(|span| span.began.0 <= after);
        let mut at = (begun as u32).saturating_sub(1);
        while let Some(span) = self.spans.get(at as usize).filter(|_| at > 0) {
            if after <= span.began.0.saturating_add(span.duration.0) {
                break;
            }
            at = self.callers.get(at as usize).copied().unwrap_or(0);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, HandOffs, MethodIx, ThreadIx};

    fn span(method: u32, depth: u32, began: u64, duration: u64) -> Span {
        Span {
            method: MethodIx(method),
            kind: crate::SpanKind::Call,
            depth,
            began: Ticks(began),
            duration: Ticks(duration),
            records_before: 0,
            records: 0,
            counted: 0,
            thrown: false,
        }
    }

    /// A call from 1,000 to 1,100, with one from 1,010 to 1,050, in which one is from 1,020 to
    /// 1,030, and one from 1,060 on.
    fn call() -> Activation {
        Activation {
            path: vec![Frame::Method(MethodIx(0))],
            thread: ThreadIx(0),
            thread_id: 7,
            began: Ticks(1_000),
            duration: Ticks(100),
            records: 0,
            left_out: 0,
            spans: vec![
                span(0, 0, 0, 100),
                span(1, 1, 10, 40),
                span(2, 2, 20, 10),
                span(3, 1, 60, 40),
            ],
            hand_offs: HandOffs::default(),
            events: Vec::new(),
        }
    }

    fn event(thread: Option<u64>, kind: EventKind, begin: u64, end: u64) -> TimedEvent {
        let (begin, end) = (Ticks(begin), Ticks(end));
        TimedEvent { thread, name: EventName::of(kind), begin, end }
    }

    fn placed(events: Vec<TimedEvent>) -> Vec<(u32, EventKind, u64, u64)> {
        let mut calls = [call()];
        place_in_slowest(&mut calls, &SlowCallClocks::default(), events);
        calls[0].check(4, 1).unwrap();
        let rows = calls[0].events.iter();
        rows.map(|of| (of.span, of.name.kind, of.sum.count, of.sum.time.0)).collect()
    }

    #[test]
    fn events_are_in_the_innermost_call() {
        let of = |kind, begin, end| event(Some(7), kind, begin, end);
        let events = vec![
            of(EventKind::Park, 1_021, 1_029),
            of(EventKind::Sleep, 1_035, 1_045),
            of(EventKind::Monitor, 1_052, 1_058),
            of(EventKind::Exception, 1_061, 1_061),
            of(EventKind::Exception, 1_062, 1_062),
            // Another thread's, and one before.
            event(Some(8), EventKind::Park, 1_000, 1_100),
            of(EventKind::Park, 900, 1_000),
        ];
        let expected = [
            (0, EventKind::Monitor, 1, 6),
            (1, EventKind::Sleep, 1, 10),
            (2, EventKind::Park, 1, 8),
            (3, EventKind::Exception, 2, 0),
        ];
        assert_eq!(placed(events), expected);
    }

    #[test]
    fn each_moment_counts_once_and_only_inside() {
        let events = vec![
            event(Some(7), EventKind::Socket, 1_090, 1_150),
            event(Some(7), EventKind::Park, 1_085, 1_200),
            event(None, EventKind::Gc, 1_070, 1_095),
        ];
        let expected =
            [(3, EventKind::Park, 1, 5), (3, EventKind::Socket, 1, 10), (3, EventKind::Gc, 1, 15)];
        assert_eq!(placed(events), expected);
    }
}
