//! Why threads did not run, and what they threw: what JFR is asked for, and what it told, put into
//! the calls of a JVM's builder.

use crate::companion::{JfrEvent, JfrEvents};
use jfathom_jfr::{JfrTicks, Recording, SessionClock, ThreadEvent, ThreadEventKind};
use jfathom_profile::{
    Builder, EventKind, EventName, EventSource, Events, PlacedEvents, TickRate, Ticks, TimedEvent,
    Timeline, place,
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

/// Adds the events that these metrics need to those of a recording.
pub fn add_thread_events(metrics: Metrics, events: &mut JfrEvents) {
    // No stacks: the time says in which call an event was. JDKs of later versions leave out some
    // of many events unless they are told not to; others do not know that setting.
    let all = |threshold: &str| {
        vec![
            ("stackTrace", "false".to_owned()),
            ("threshold", threshold.to_owned()),
            ("throttle", "off".to_owned()),
        ]
    };
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
        for name in EXCEPTIONS {
            events.add(JfrEvent { name, settings: all("0 ns") });
        }
    }
}

/// What was asked for, and JFR did not tell.
pub(crate) fn refused(metrics: Metrics) -> Events {
    events_of(metrics, EventSource::Refused)
}

fn events_of(metrics: Metrics, source: EventSource) -> Events {
    let of = |is_asked| if is_asked { source } else { EventSource::Unasked };
    Events {
        waits: of(metrics.waits),
        exceptions: of(metrics.exceptions),
        threshold_nanos: if metrics.waits { THRESHOLD_NANOS } else { 0 },
        ..Events::default()
    }
}

/// Puts the events of a recording into the calls of a builder.
pub(crate) fn add_events(
    builder: &mut Builder,
    timeline: &Timeline,
    recording: &Recording,
    rate: TickRate,
    metrics: Metrics,
) -> Events {
    let Some(clock) = SessionClock::new(&recording.clock) else { return refused(metrics) };
    let nanos = |ticks: u64| rate.nanos(Ticks(ticks)).0;
    let PlacedEvents { nodes, outside } = place(timeline, timed(recording, &clock));
    builder.add_events(nodes);
    Events {
        resolution_nanos: nanos(timeline.resolution().0),
        clock_error_nanos: nanos(clock.error_ticks()),
        lost: timeline.unknown_calls().saturating_add(recording.samples.unfinished_chunks),
        outside,
        ..events_of(metrics, EventSource::Jfr)
    }
}

/// The events on the session's clock.
fn timed(recording: &Recording, clock: &SessionClock) -> Vec<TimedEvent> {
    let events = &recording.thread_events;
    let mut names: HashMap<Arc<str>, Option<Arc<str>>> = HashMap::new();
    let at = |moment: JfrTicks| Ticks(u64::try_from(clock.at(moment).0).unwrap_or(0));
    // Each error is told once as such. Its constructors tell it once or twice as an exception, too.
    let is_error = |event: &&ThreadEvent| event.kind == ThreadEventKind::ThrowError;
    let errors: HashSet<_> =
        events.events.iter().filter(is_error).map(|event| events.class(event)).collect();
    let timed = events.events.iter().filter_map(|event: &ThreadEvent| {
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
        Some(TimedEvent { thread, name, begin: at(event.begin), end: at(event.end) })
    });
    timed.collect()
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
