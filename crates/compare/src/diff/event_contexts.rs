//! The events of the contexts and methods of a difference.

use super::differences::{ContextDiff, ContextFrame};
use super::events::{EventDiff, EventsDiff, MeanEvents, Sums};
use super::merged_contexts::MergedContexts;
use jfathom_profile::{EventKind, EventSource, EventSum, Profile};
use std::collections::BTreeMap;

/// Gives each context its events, and returns those of all together.
pub(super) fn add_events(
    profiles: [&Profile; 2],
    union: &MergedContexts,
    contexts: &mut [ContextDiff],
) -> EventsDiff {
    let whole = |source: fn(&Profile) -> EventSource| {
        let is_told = |profile| matches!(source(profile), EventSource::Jfr | EventSource::Probes);
        profiles.into_iter().all(is_told)
    };
    let has_waits = whole(|profile| profile.events.waits);
    let has_exceptions = whole(|profile| profile.events.exceptions);
    let has_caught = whole(|profile| profile.events.caught);
    let is_known = |kind: EventKind| match kind {
        EventKind::Exception => has_exceptions,
        EventKind::Caught => has_caught,
        _ => has_waits,
    };
    let mut total = Sums::default();
    let mut of_contexts: BTreeMap<usize, Sums> = BTreeMap::new();
    for (side, profile) in profiles.into_iter().enumerate() {
        let (runs, tick) = (profile.run_count() as f64, 1e9 / profile.rate.hz() as f64);
        let mean = |sum: EventSum| MeanEvents {
            count: sum.count as f64 / runs,
            nanos: sum.time.0 as f64 * tick / runs,
        };
        let places = union.of_side(side);
        for row in profile.tree.all_events().iter().filter(|row| is_known(row.name.kind)) {
            total.add(side, &row.name, mean(row.sum));
            if let Some(Some(place)) = places.get(row.node.0 as usize) {
                of_contexts.entry(*place).or_default().add(side, &row.name, mean(row.sum));
            }
        }
    }
    for (place, sums) in of_contexts {
        if let Some(context) = contexts.get_mut(place) {
            context.events = sums.rows();
        }
    }
    EventsDiff { has_waits, has_exceptions, has_caught, total: total.rows() }
}

/// The events of each method itself, by its index in [`super::Diff::methods`]: the sums of its
/// contexts.
pub(super) fn by_method(contexts: &[ContextDiff]) -> BTreeMap<usize, Vec<EventDiff>> {
    let mut sums: BTreeMap<usize, Sums> = BTreeMap::new();
    for context in contexts {
        let ContextFrame::Method(method) = context.frame else { continue };
        for event in &context.events {
            let of = sums.entry(method).or_default();
            of.add(0, &event.name, event.base);
            of.add(1, &event.name, event.new);
        }
    }
    sums.into_iter().map(|(method, sums)| (method, sums.rows())).collect()
}
