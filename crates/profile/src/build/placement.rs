//! Events put into the calls in which they were.
//!
//! Events of one thread may overlap: a class is loaded while another one is, a socket of a virtual
//! thread parks it, the collector works while a thread sleeps. Each moment of a thread counts once.
//! Input and output come before the waits that they consist of, waits before pauses, which do not
//! matter to a thread that waits, and class loading is what is left of its time. Of two events of
//! one rank the one that began later is the inner one, and has the moment.

mod slowest;

pub use slowest::place_in_slowest;

use std::collections::{BTreeMap, HashMap};

use crate::build::builder::{BuilderNode, Timeline};
use crate::{EventKind, EventName, EventSum, Ticks};

/// An event of one thread, or of all threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedEvent {
    /// The thread's id in the JVM; none for a pause of all.
    pub thread: Option<u64>,
    /// What it tells.
    pub name: EventName,
    /// When it began, on the session's clock.
    pub begin: Ticks,
    /// When it ended; the same for an exception.
    pub end: Ticks,
}

/// Where events are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacedEvents {
    /// By the innermost call that is known.
    pub nodes: BTreeMap<(BuilderNode, EventName), EventSum>,
    /// Outside of all recorded calls. Pauses are only in calls.
    pub outside: BTreeMap<EventName, EventSum>,
}

/// Moments that have an event, as begin and end of pieces that do not touch.
#[derive(Debug, Default)]
struct Taken(BTreeMap<u64, u64>);

impl Taken {
    /// Takes an interval, and returns those pieces of it that were free.
    fn claim(&mut self, begin: u64, end: u64) -> Vec<(u64, u64)> {
        if begin >= end {
            return Vec::new();
        }
        let (mut from, mut whole) = (begin, (begin, end));
        let mut free = Vec::new();
        let before = self.0.range(..begin).next_back().filter(|(_, last)| **last >= begin);
        let start = before.map_or(begin, |(first, _)| *first);
        let within: Vec<(u64, u64)> =
            self.0.range(start..=end).map(|(first, last)| (*first, *last)).collect();
        for (first, last) in within {
            if first > from {
                free.push((from, first));
            }
            from = from.max(last);
            whole = (whole.0.min(first), whole.1.max(last));
            self.0.remove(&first);
        }
        if from < end {
            free.push((from, end));
        }
        self.0.insert(whole.0, whole.1);
        free
    }
}

/// Which of two events that overlap has the moments: the one of the higher rank.
fn rank(kind: EventKind) -> u8 {
    match kind {
        EventKind::File | EventKind::Socket => 3,
        EventKind::Monitor | EventKind::ObjectWait | EventKind::Park | EventKind::Sleep => 2,
        EventKind::Gc | EventKind::Safepoint => 1,
        EventKind::ClassLoading | EventKind::Exception | EventKind::Caught => 0,
    }
}

/// The inner one of two events comes first.
fn inner_first(events: &mut [TimedEvent]) {
    events.sort_by(|a, b| (b.begin, a.end).cmp(&(a.begin, b.end)));
}

/// Events in the order in which they take their moments.
fn in_order(mut events: Vec<TimedEvent>) -> Vec<TimedEvent> {
    inner_first(&mut events);
    events.sort_by_key(|event| std::cmp::Reverse(rank(event.name.kind)));
    events
}

/// Puts events into the calls of a timeline.
pub fn place(timeline: &Timeline, events: Vec<TimedEvent>) -> PlacedEvents {
    let mut placed = PlacedEvents::default();
    let mut by_thread: HashMap<u64, Vec<TimedEvent>> = HashMap::new();
    let mut pauses = Vec::new();
    for event in events {
        match event.thread {
            Some(thread) if event.name.kind == EventKind::Exception => {
                let sum = EventSum { count: 1, time: Ticks(0) };
                placed.add(timeline.innermost(thread, event.begin), event.name, sum);
            }
            Some(thread) => by_thread.entry(thread).or_default().push(event),
            None => pauses.push(event),
        }
    }
    let pauses = apart(pauses);
    for (thread, base) in timeline.threads() {
        let own = by_thread.remove(&thread).unwrap_or_default();
        let (first, last) = (base, timeline.last_end(thread));
        let from = pauses.partition_point(|pause| pause.end <= first);
        let pauses = pauses.get(from..).unwrap_or_default().iter();
        let pauses = pauses.take_while(|pause| pause.begin < last);
        let pauses = pauses.map(|pause| TimedEvent { thread: Some(thread), ..pause.clone() });
        placed.add_thread(timeline, thread, own.into_iter().chain(pauses).collect());
    }
    // Threads without a call.
    for (thread, own) in by_thread {
        placed.add_thread(timeline, thread, own);
    }
    placed
}

/// Pauses that do not overlap, in the order of their times. What the collector does is not told
/// again as an operation of the JVM.
fn apart(mut pauses: Vec<TimedEvent>) -> Vec<TimedEvent> {
    inner_first(&mut pauses);
    pauses.sort_by_key(|pause| pause.name.kind != EventKind::Gc);
    let mut taken = Taken::default();
    let mut apart: Vec<TimedEvent> = Vec::new();
    for pause in pauses {
        let pieces = taken.claim(pause.begin.0, pause.end.0).into_iter();
        apart.extend(pieces.map(|(begin, end)| TimedEvent {
            begin: Ticks(begin),
            end: Ticks(end),
            ..pause.clone()
        }));
    }
    apart.sort_by_key(|pause| pause.begin);
    apart
}

impl PlacedEvents {
    fn add(&mut self, node: Option<BuilderNode>, name: EventName, sum: EventSum) {
        match node {
            Some(node) => self.nodes.entry((node, name)).or_default().add(sum),
            None if name.kind.is_pause() => {}
            None => self.outside.entry(name).or_default().add(sum),
        }
    }

    fn add_thread(&mut self, timeline: &Timeline, thread: u64, events: Vec<TimedEvent>) {
        let mut taken = Taken::default();
        for event in in_order(events) {
            let mut times: BTreeMap<Option<BuilderNode>, u64> = BTreeMap::new();
            for (begin, end) in taken.claim(event.begin.0, event.end.0) {
                for part in timeline.parts(thread, Ticks(begin), Ticks(end)) {
                    *times.entry(part.node).or_default() += part.end.0 - part.begin.0;
                }
            }
            let Some((most, _)) = times.iter().max_by_key(|(_, time)| **time) else { continue };
            let most = *most;
            // A thread that stands still makes no calls: all of it was in one call. Only the
            // distance of the clocks shows parts of it in others.
            if event.name.kind != EventKind::ClassLoading {
                let time = Ticks(times.values().sum());
                self.add(most, event.name, EventSum { count: 1, time });
                continue;
            }
            for (node, time) in times {
                let sum = EventSum { count: u64::from(node == most), time: Ticks(time) };
                self.add(node, event.name.clone(), sum);
            }
        }
    }
}

#[cfg(test)]
mod tests;
