//! Why threads did not run, and what they threw, on both sides.

use super::differences::{ContextDiff, ContextFrame};
use super::merged_contexts::MergedContexts;
use jfathom_profile::{EventKind, EventName, EventSource, EventSum, Profile};
use std::collections::BTreeMap;

/// Events in the mean of a side's runs. Counts are exact. A profile has the sum over its runs
/// alone, so nothing is known of how much they vary.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanEvents {
    /// How many.
    pub count: f64,
    /// Their time in nanoseconds; zero for exceptions.
    pub nanos: f64,
}

impl MeanEvents {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.nanos += other.nanos;
    }
}

/// Events of one name on both sides. Zero on a side that knows of none.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDiff {
    /// What they tell.
    pub name: EventName,
    /// In the baseline.
    pub base: MeanEvents,
    /// In the candidate.
    pub new: MeanEvents,
}

impl EventDiff {
    /// Candidate minus baseline.
    pub fn count(&self) -> f64 {
        self.new.count - self.base.count
    }

    /// Candidate minus baseline, in nanoseconds.
    pub fn nanos(&self) -> f64 {
        self.new.nanos - self.base.nanos
    }
}

/// Which events are compared, and those of all recorded calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventsDiff {
    /// Whether both sides know waits and pauses, in all their runs. There are none if not.
    pub has_waits: bool,
    /// The same of exceptions.
    pub has_exceptions: bool,
    /// In all recorded calls: by name, ascending.
    pub total: Vec<EventDiff>,
}

impl EventsDiff {
    /// Whether anything is compared.
    pub fn is_known(&self) -> bool {
        self.has_waits || self.has_exceptions
    }
}

/// Sums of both sides by name.
#[derive(Clone, Debug, Default)]
struct Sums(BTreeMap<EventName, [MeanEvents; 2]>);

impl Sums {
    fn add(&mut self, side: usize, name: &EventName, sum: MeanEvents) {
        match self.0.get_mut(name) {
            Some(of) => of[side].add(sum),
            None => self.0.entry(name.clone()).or_default()[side].add(sum),
        }
    }

    fn rows(self) -> Vec<EventDiff> {
        let rows = self.0.into_iter();
        rows.map(|(name, [base, new])| EventDiff { name, base, new }).collect()
    }
}

/// Gives each context its events, and returns those of all together.
pub(super) fn add_events(
    profiles: [&Profile; 2],
    union: &MergedContexts,
    contexts: &mut [ContextDiff],
) -> EventsDiff {
    let whole = |source: fn(&Profile) -> EventSource| {
        profiles.iter().all(|profile| source(profile) == EventSource::Jfr)
    };
    let has_waits = whole(|profile| profile.events.waits);
    let has_exceptions = whole(|profile| profile.events.exceptions);
    let is_known = |kind: EventKind| if kind.has_time() { has_waits } else { has_exceptions };
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
    EventsDiff { has_waits, has_exceptions, total: total.rows() }
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

/// Events by kind, the largest change of time first, then of number.
pub fn by_kind(events: &[EventDiff]) -> Vec<EventDiff> {
    let mut sums = Sums::default();
    for event in events {
        let name = EventName::of(event.name.kind);
        sums.add(0, &name, event.base);
        sums.add(1, &name, event.new);
    }
    let mut rows = sums.rows();
    rows.sort_by(|a, b| {
        let by_time = b.nanos().abs().total_cmp(&a.nanos().abs());
        by_time.then(b.count().abs().total_cmp(&a.count().abs()))
    });
    rows
}
