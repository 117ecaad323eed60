//! Sums of events by what they tell.

use jfathom_profile::{EventKind, EventName, EventSum, NodeEvent, SpanEvent};
use std::collections::BTreeMap;

/// The events of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindSum {
    /// What they tell.
    pub kind: EventKind,
    /// How many they are.
    pub count: u64,
    /// Their time in ns; zero for exceptions.
    pub nanos: f64,
}

/// The events of one kind and class.
#[derive(Clone, Debug, PartialEq)]
pub struct NameSum {
    /// What they tell.
    pub name: EventName,
    /// How many they are.
    pub count: u64,
    /// Their time in ns; zero for exceptions.
    pub nanos: f64,
}

/// Events of one name, wherever they are.
pub(crate) trait Row {
    fn parts(&self) -> (&EventName, EventSum);
}

impl Row for NodeEvent {
    fn parts(&self) -> (&EventName, EventSum) {
        (&self.name, self.sum)
    }
}

impl Row for SpanEvent {
    fn parts(&self) -> (&EventName, EventSum) {
        (&self.name, self.sum)
    }
}

/// Sums by kind, the longest first, then the most.
pub(crate) fn by_kind<'a, R: Row + 'a>(
    rows: impl Iterator<Item = &'a R>,
    tick: f64,
) -> Vec<KindSum> {
    let mut sums: BTreeMap<EventKind, (u64, f64)> = BTreeMap::new();
    for (name, sum) in rows.map(Row::parts) {
        let (count, nanos) = sums.entry(name.kind).or_default();
        *count = count.saturating_add(sum.count);
        *nanos += sum.time.0 as f64 * tick;
    }
    let sums = sums.into_iter().map(|(kind, (count, nanos))| KindSum { kind, count, nanos });
    let mut sums: Vec<KindSum> = sums.collect();
    sums.sort_by(|a, b| b.nanos.total_cmp(&a.nanos).then(b.count.cmp(&a.count)));
    sums
}

/// Sums by kind and class, in the order of [`by_kind`].
pub(crate) fn by_name<'a, R: Row + 'a>(
    rows: impl Iterator<Item = &'a R>,
    tick: f64,
) -> Vec<NameSum> {
    let mut sums: BTreeMap<&EventName, (u64, f64)> = BTreeMap::new();
    for (name, sum) in rows.map(Row::parts) {
        let (count, nanos) = sums.entry(name).or_default();
        *count = count.saturating_add(sum.count);
        *nanos += sum.time.0 as f64 * tick;
    }
    let sums = sums.into_iter();
    let sums = sums.map(|(name, (count, nanos))| NameSum { name: name.clone(), count, nanos });
    let mut sums: Vec<NameSum> = sums.collect();
    sums.sort_by(|a, b| b.nanos.total_cmp(&a.nanos).then(b.count.cmp(&a.count)));
    sums
}
