//! Why threads did not run, and what they threw: what JFR is asked for, and what it told, put into
//! the calls of a JVM's builder.

use crate::jfr::{
    companion::{JfrEvent, JfrEvents},
    thrown::{Thrown, ThrownEvent},
};
use jfathom_jfr::{JfrThreadIx, JfrTicks, Recording, SessionClock, ThreadEvent, ThreadEventKind};
use jfathom_profile::{
    Builder, EventKind, EventName, EventSource, Events, PlacedEvents, Profile, SlowCallClocks,
    TickRate, Ticks, TimedEvent, Timeline, place, place_in_slowest,
};
use jfathom_session::Metrics;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Shorter waits are not told: a program that parks often must not be slower for it.
const THRESHOLD_NANOS: u64 = 20_000;
/// Events with a time, of which short ones are left out.
const TIMED: [&str; 11] = [
    "jdk.JavaMonitorEnter",
    "jdk.JavaMonitorWait",
    "jdk.ThreadPark",
    "jdk.ThreadSleep",
    "jdk.FileRead",
    "jdk.FileWrite",
    "jdk.FileForce",
    "jdk.SocketRead",
    "jdk.SocketWrite",
    "jdk.SocketConnect",
    "jdk.ClassLoad",
];
/// Pauses, which are all told.
const PAUSES: [&str; 3] = ["jdk.GCPhasePause", "jdk.SafepointBegin", "jdk.SafepointEnd"];
/// Exceptions and errors, and errors alone.
const EXCEPTIONS: [&str; 2] = ["jdk.JavaExceptionThrow", "jdk.JavaErrorThrow"];

/// The length in ns from which on calls are needed to place what JFR tells; none if nothing is
/// placed by its time.
///
/// A wait lies in a call that is no shorter. So where waits alone are told, calls that are shorter
/// than half the threshold are not needed, and the error of the clocks is less than the other half.
/// Samples and exceptions are in any call.
pub(crate) fn timeline_from(metrics: Metrics, has_samples: bool) -> Option<u64> {
    const SHORTEST_NANOS: u64 = 1_000;
    match (has_samples || metrics.exceptions, metrics.waits) {
        (true, _) => Some(SHORTEST_NANOS),
        (false, true) => Some(THRESHOLD_NANOS / 2),
        (false, false) => None,
    }
}

/// Adds the events that these metrics need to those of a recording.
pub fn add_thread_events(metrics: Metrics, events: &mut JfrEvents) {
    // Waits have no stacks: the time says in which call they were. JDKs of later versions leave out
    // some of many events unless they are told not to; others do not know that setting.
    let with = |threshold: &str, has_stack: bool| {
        vec![
            ("stackTrace", has_stack.to_string()),
            ("threshold", threshold.to_owned()),
            ("throttle", "off".to_owned()),
        ]
    };
    let all = |threshold: &str| with(threshold, false);
    if metrics.waits {
        let threshold = format!("{THRESHOLD_NANOS} ns");
        for name in TIMED {
            events.add(JfrEvent { name, settings: all(&threshold) });
        }
        for name in PAUSES {
            events.add(JfrEvent { name, settings: all("0 ns") });
        }
    }
    if metrics.exceptions {
        // A call that makes an exception may be too short to be told by its time.
        for name in EXCEPTIONS {
            events.add(JfrEvent { name, settings: with("0 ns", true) });
        }
    }
}

/// What was asked for, and JFR did not tell.
pub(crate) fn refused(metrics: Metrics) -> Events {
    untold(metrics, EventSource::Refused)
}

/// What was asked for, with this source.
pub(crate) fn untold(metrics: Metrics, source: EventSource) -> Events {
    let of = |is_asked| if is_asked { source } else { EventSource::Unasked };
    Events {
        waits: of(metrics.waits),
        exceptions: of(metrics.exceptions),
        threshold_nanos: if metrics.waits { THRESHOLD_NANOS } else { 0 },
        ..Events::default()
    }
}

/// Puts the events of a recording into the calls of a builder, by their times. Exceptions are to be
/// placed by their frames when the profile is made.
pub(crate) fn add_events(
    builder: &mut Builder,
    timeline: &Timeline,
    recording: &Recording,
    rate: TickRate,
    metrics: Metrics,
) -> (Events, Thrown) {
    let Some(clock) = SessionClock::new(&recording.clock) else {
        return (refused(metrics), Thrown::default());
    };
    let nanos = |ticks: u64| rate.nanos(Ticks(ticks)).0;
    let told = told(recording, &clock);
    let thrown = Thrown::new(builder, timeline, told.iter().filter_map(Told::thrown));
    let timed = told.into_iter().map(|told| told.event).collect();
    let PlacedEvents { nodes, outside } = place(timeline, timed);
    builder.add_events(nodes);
    let events = Events {
        resolution_nanos: nanos(timeline.resolution().0),
        clock_error_nanos: nanos(clock.error_ticks()),
        lost: timeline.unknown_calls().saturating_add(recording.samples.unfinished_chunks),
        outside,
        ..untold(metrics, EventSource::Jfr)
    };
    (events, thrown)
}

/// Gives the slowest calls of a profile what a recording tells of their threads. `clocks` are those
/// of its builder.
pub(crate) fn add_to_slowest(
    profile: &mut Profile,
    clocks: &SlowCallClocks,
    recording: &Recording,
) {
    let Some(clock) = SessionClock::new(&recording.clock) else { return };
    if !profile.latencies.slowest.is_empty() {
        let told = told(recording, &clock).into_iter().map(|told| told.event);
        place_in_slowest(&mut profile.latencies.slowest, clocks, told.collect());
    }
}

/// An event on the session's clock.
struct Told {
    event: TimedEvent,
    thread: JfrThreadIx,
    /// The place of its stack in the recording.
    stack: Option<u32>,
}

impl Told {
    /// An exception with a stack.
    fn thrown(&self) -> Option<ThrownEvent<'_>> {
        let TimedEvent { thread: java_id, name, begin, .. } = &self.event;
        let stack = self.stack.filter(|_| name.kind == EventKind::Exception)?;
        Some(ThrownEvent { thread: self.thread, java_id: (*java_id)?, stack, name, at: *begin })
    }
}

/// The events on the session's clock.
fn told(recording: &Recording, clock: &SessionClock) -> Vec<Told> {
    let events = &recording.thread_events;
    let mut names: HashMap<Arc<str>, Option<Arc<str>>> = HashMap::new();
    let at = |moment: JfrTicks| Ticks(u64::try_from(clock.at(moment).0).unwrap_or(0));
    // Each error is told once as such. Its constructors tell it once or twice as an exception, too.
    let is_error = |event: &&ThreadEvent| event.kind == ThreadEventKind::ThrowError;
    let errors: HashSet<_> =
        events.events.iter().filter(is_error).map(|event| events.class(event)).collect();
    let told = events.events.iter().filter_map(|event: &ThreadEvent| {
        if event.kind == ThreadEventKind::Throw && errors.contains(&events.class(event)) {
            return None;
        }
        let kind = kind(event.kind);
        let class = match events.class(event) {
            // A class of the runtime: the thread has waited for the collector.
            Some(class) => Some(
                names
                    .entry(class.clone())
                    .or_insert_with(|| (!is_own(class)).then(|| class.replace('/', ".").into()))
                    .clone()?,
            ),
            None => None,
        };
        let thread = recording.threads.get(event.thread).java_id;
        let thread = (!kind.is_pause()).then_some(thread);
        let name = EventName { kind, class };
        let timed = TimedEvent { thread, name, begin: at(event.begin), end: at(event.end) };
        Some(Told { event: timed, thread: event.thread, stack: event.stack })
    });
    told.collect()
}

/// Whether a class is of the runtime, which waits for the collector itself.
fn is_own(class: &str) -> bool {
    class.starts_with("jfathom/runtime/") || class.starts_with("java/lang/Jfathom")
}

fn kind(kind: ThreadEventKind) -> EventKind {
    match kind {
        ThreadEventKind::MonitorEnter => EventKind::Monitor,
        ThreadEventKind::MonitorWait => EventKind::ObjectWait,
        ThreadEventKind::Park => EventKind::Park,
        ThreadEventKind::Sleep => EventKind::Sleep,
        ThreadEventKind::File => EventKind::File,
        ThreadEventKind::Socket => EventKind::Socket,
        ThreadEventKind::ClassLoad => EventKind::ClassLoading,
        ThreadEventKind::GcPause => EventKind::Gc,
        ThreadEventKind::Safepoint => EventKind::Safepoint,
        ThreadEventKind::Throw | ThreadEventKind::ThrowError => EventKind::Exception,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_kept_as_far_as_something_can_be_in_them() {
        let of = |waits, exceptions| Metrics { waits, exceptions, ..Metrics::default() };
        assert_eq!(timeline_from(of(false, false), false), None);
        assert_eq!(timeline_from(of(true, false), true), Some(1_000));
        assert_eq!(timeline_from(of(false, true), false), Some(1_000));
        // A call with a wait has to be there although the clocks differ.
        let alone = timeline_from(of(true, false), false).unwrap();
        assert!(1_000 < alone && alone + 5_000 < THRESHOLD_NANOS, "{alone}");
    }
}
