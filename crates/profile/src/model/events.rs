//! What the JVM tells of threads beside their calls: why they did not run, and what they threw.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::allocation::both_sources;
use crate::{NodeIx, Ticks};

/// What an event tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EventKind {
    /// A thread waited to enter a monitor that another one owned. The class is the monitor's.
    Monitor,
    /// A thread waited in `Object.wait`. The class is the object's.
    ObjectWait,
    /// A thread was parked by `LockSupport`. The class is that of the blocker, if there is one.
    Park,
    /// A thread slept.
    Sleep,
    /// A thread read, wrote or forced a file.
    File,
    /// A thread read or wrote a socket.
    Socket,
    /// A thread loaded a class.
    ClassLoading,
    /// All threads stood still while the garbage collector worked.
    Gc,
    /// All threads stood still for another operation of the JVM.
    Safepoint,
    /// A thread made an exception. The class is the exception's.
    Exception,
    /// A thread caught an exception. The class is the exception's; none if it is not known. Probes
    /// tell it, with the exact call.
    Caught,
}

impl EventKind {
    /// All kinds, in the order of their numbers in files.
    pub const ALL: [Self; 11] = [
        Self::Monitor,
        Self::ObjectWait,
        Self::Park,
        Self::Sleep,
        Self::File,
        Self::Socket,
        Self::ClassLoading,
        Self::Gc,
        Self::Safepoint,
        Self::Exception,
        Self::Caught,
    ];

    /// Its name in outputs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Monitor => "monitor",
            Self::ObjectWait => "object-wait",
            Self::Park => "park",
            Self::Sleep => "sleep",
            Self::File => "file",
            Self::Socket => "socket",
            Self::ClassLoading => "class-loading",
            Self::Gc => "gc",
            Self::Safepoint => "safepoint",
            Self::Exception => "exception",
            Self::Caught => "caught",
        }
    }

    /// Whether all threads stood still: such time is no thread's own.
    pub const fn is_pause(self) -> bool {
        matches!(self, Self::Gc | Self::Safepoint)
    }

    /// Whether it has a time: all kinds but exceptions, made and caught.
    pub const fn has_time(self) -> bool {
        !matches!(self, Self::Exception | Self::Caught)
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What events are added up by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EventName {
    /// What they tell.
    pub kind: EventKind,
    /// The class that they name, with dots; none if they name none.
    pub class: Option<Arc<str>>,
}

impl EventName {
    /// Events of a kind that name no class.
    pub const fn of(kind: EventKind) -> Self {
        Self { kind, class: None }
    }
}

/// A sum of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventSum {
    /// How many.
    pub count: u64,
    /// Their time; zero for exceptions.
    pub time: Ticks,
}

impl EventSum {
    /// Whether nothing was added up.
    pub fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// Adds another sum. Sums saturate.
    pub fn add(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.time += other.time;
    }
}

/// The events of one name in a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeEvent {
    /// The innermost call in which they were.
    pub node: NodeIx,
    /// What they tell.
    pub name: EventName,
    /// Their sum.
    pub sum: EventSum,
}

/// What is known of events, beside those in nodes ([`crate::Tree::events`]).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Events {
    /// Who told why threads did not run.
    pub waits: EventSource,
    /// Who told what they threw.
    pub exceptions: EventSource,
    /// Who told what they caught.
    pub caught: EventSource,
    /// Shorter waits were not told, in ns; the largest of all recordings.
    pub threshold_nanos: u64,
    /// Shorter calls were not known when events were placed: what was in them is in their callers.
    /// In ns; the largest of all recordings.
    pub resolution_nanos: u64,
    /// By how much events may lie at another time, in ns; the largest of all recordings.
    pub clock_error_nanos: u64,
    /// Events that the JVM gave up, or that could not be read.
    pub lost: u64,
    /// Events outside of all recorded calls.
    pub outside: BTreeMap<EventName, EventSum>,
}

/// Who told the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventSource {
    /// Nobody asked for them.
    #[default]
    Unasked,
    /// JFR, the JVM's own recorder.
    Jfr,
    /// They were asked for, and the JVM told none.
    Refused,
    /// In all recordings that were added up someone asked, and not in all the JVM told.
    Some,
    /// Not in all recordings that were added up someone asked.
    Partly,
    /// Probes.
    Probes,
    /// They were asked for, and are told when the recording ends.
    Pending,
}

impl EventSource {
    /// That of two recordings together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        both_sources([self, other], Self::Unasked, Self::Partly, Self::Some)
    }

    /// Whether anybody asked.
    pub fn is_asked(self) -> bool {
        self != Self::Unasked
    }
}

impl Events {
    /// What was asked for in the first recording of a sum, without its events.
    #[must_use]
    pub fn sources(&self) -> Self {
        let Self { waits, exceptions, caught, .. } = *self;
        Self { waits, exceptions, caught, ..Self::default() }
    }

    /// Whether anybody asked for any.
    pub fn are_asked(&self) -> bool {
        [self.waits, self.exceptions, self.caught].into_iter().any(EventSource::is_asked)
    }

    /// Adds those of another recording, whose times `convert` turns into this one's.
    pub fn add(&mut self, other: Self, convert: impl Fn(Ticks) -> Ticks) {
        self.waits = self.waits.and(other.waits);
        self.exceptions = self.exceptions.and(other.exceptions);
        self.caught = self.caught.and(other.caught);
        self.threshold_nanos = self.threshold_nanos.max(other.threshold_nanos);
        self.resolution_nanos = self.resolution_nanos.max(other.resolution_nanos);
        self.clock_error_nanos = self.clock_error_nanos.max(other.clock_error_nanos);
        self.lost = self.lost.saturating_add(other.lost);
        for (name, sum) in other.outside {
            let sum = EventSum { time: convert(sum.time), ..sum };
            self.outside.entry(name).or_default().add(sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_names_of_their_own() {
        let names: std::collections::BTreeSet<&str> =
            EventKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(names.len(), EventKind::ALL.len());
        assert!(EventKind::ALL.is_sorted());
    }
}
