//! Events as JSON; `docs/report-json.md` describes them.

use jfathom_profile::{EventSource, Profile};
use jfathom_views::{KindSum, NameSum};
use serde::Serialize;
use serde_json::{Value, json};

/// The events of one kind, as they are written.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct KindSumJson {
    kind: &'static str,
    count: u64,
    nanos: u64,
}

/// The events of one kind and class, as they are written.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NameSumJson {
    kind: &'static str,
    class: Option<String>,
    count: u64,
    nanos: u64,
}

impl KindSumJson {
    pub(crate) fn all(sums: Vec<KindSum>) -> Vec<Self> {
        let sums = sums.into_iter().map(|sum| Self {
            kind: sum.kind.as_str(),
            count: sum.count,
            nanos: sum.nanos.round() as u64,
        });
        sums.collect()
    }
}

impl NameSumJson {
    pub(crate) fn all(sums: Vec<NameSum>) -> Vec<Self> {
        let sums = sums.into_iter().map(|sum| Self {
            kind: sum.name.kind.as_str(),
            class: sum.name.class.map(|class| class.to_string()),
            count: sum.count,
            nanos: sum.nanos.round() as u64,
        });
        sums.collect()
    }
}

/// What is known of events beside those of nodes.
pub(crate) fn events(profile: &Profile) -> Value {
    let events = &profile.events;
    let outside = events.outside.iter().map(|(name, sum)| {
        json!({
            "kind": name.kind.as_str(),
            "class": name.class.as_deref(),
            "count": sum.count,
            "nanos": profile.rate.nanos(sum.time),
        })
    });
    json!({
        "waits": source(events.waits),
        "exceptions": source(events.exceptions),
        "caught": source(events.caught),
        "thresholdNanos": events.threshold_nanos,
        "resolutionNanos": events.resolution_nanos,
        "clockErrorNanos": events.clock_error_nanos,
        "lost": events.lost,
        "outside": outside.collect::<Vec<Value>>(),
    })
}

fn source(source: EventSource) -> &'static str {
    match source {
        EventSource::Unasked => "unasked",
        EventSource::Jfr => "jfr",
        EventSource::Refused => "refused",
        EventSource::Some => "some",
        EventSource::Partly => "partly",
        EventSource::Probes => "probes",
        EventSource::Pending => "pending",
    }
}
