//! Waits, pauses and exceptions.

use super::stream::Stream;
use jfathom_profile::{EventName, EventSource, EventSum, Profile};
use jfathom_views::{KindSum, NameSum};
use serde::Serialize;
use std::borrow::Cow;

object! {
    /// What is known of events beside those of nodes.
    Events<'a>(profile: &'a Profile, events: &'a jfathom_profile::Events) {
        #[serde(with = "EventsFrom")]
        caught: EventSource = events.caught,
        clock_error_nanos: u64 = events.clock_error_nanos,
        #[serde(with = "EventsFrom")]
        exceptions: EventSource = events.exceptions,
        /// lost calls and file pieces that may have had events
        lost: u64 = events.lost,
        /// outside recorded calls
        outside: Stream<'a, Event<'a>> =
            Stream::of(events.outside.iter().map(|(name, sum)| Event::outside(profile, name, sum))),
        /// shorter calls' events are their callers'
        resolution_nanos: u64 = events.resolution_nanos,
        /// shorter waits are not reported
        threshold_nanos: u64 = events.threshold_nanos,
        /// also of pauses
        #[serde(with = "EventsFrom")]
        waits: EventSource = events.waits,
    }
}

/// Where events are from.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(remote = "EventSource", rename_all = "lowercase")]
enum EventsFrom {
    Unasked,
    Jfr,
    Refused,
    /// refused for some added recordings
    Some,
    /// some did not ask
    Partly,
    /// those caught
    Probes,
    /// until the end
    Pending,
}

object! {
    /// Events of one kind and class.
    Event<'a>(kind: &'static str, class: Option<Cow<'a, str>>, count: u64, nanos: u64) {
        /// `monitor`, `object-wait`, `park`, `sleep`, `file`, `socket`, `class-loading`, `gc`,
        /// `safepoint`, `exception` (made), `caught`
        kind: &'static str = kind,
        /// monitor, object, blocker, exception
        class: Option<Cow<'a, str>> = class,
        /// 0: class loading, mostly elsewhere
        count: u64 = count,
        /// 0 for exceptions; pauses (`gc`, `safepoint`) are in no other time
        nanos: u64 = nanos,
    }
}

impl<'a> Event<'a> {
    fn outside(profile: &Profile, name: &'a EventName, sum: &EventSum) -> Self {
        let class = name.class.as_deref().map(Into::into);
        Self::of(name.kind.as_str(), class, sum.count, profile.rate.nanos(sum.time).0)
    }
}

impl Event<'static> {
    pub(crate) fn all(sums: Vec<NameSum>) -> Vec<Self> {
        let event = |sum: NameSum| {
            let class = sum.name.class.map(|class| class.to_string().into());
            Self::of(sum.name.kind.as_str(), class, sum.count, sum.nanos.round() as u64)
        };
        sums.into_iter().map(event).collect()
    }
}

object! {
    /// Events of one kind.
    KindEvents(sum: KindSum) {
        kind: &'static str = sum.kind.as_str(),
        count: u64 = sum.count,
        nanos: u64 = sum.nanos.round() as u64,
    }
}
