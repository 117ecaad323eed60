//! Why threads did not run, and what they threw, on both sides.

use jfathom_profile::EventName;
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
    /// The same of caught exceptions.
    pub has_caught: bool,
    /// In all recorded calls: by name, ascending.
    pub total: Vec<EventDiff>,
}

impl EventsDiff {
    /// Whether anything is compared.
    pub fn is_known(&self) -> bool {
        self.has_waits || self.has_exceptions || self.has_caught
    }
}

/// Sums of both sides by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums(BTreeMap<EventName, [MeanEvents; 2]>);

impl Sums {
    pub fn add(&mut self, side: usize, name: &EventName, sum: MeanEvents) {
        match self.0.get_mut(name) {
            Some(of) => of[side].add(sum),
            None => self.0.entry(name.clone()).or_default()[side].add(sum),
        }
    }

    pub fn rows(self) -> Vec<EventDiff> {
        let rows = self.0.into_iter();
        rows.map(|(name, [base, new])| EventDiff { name, base, new }).collect()
    }
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
