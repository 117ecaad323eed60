//! The metrics of a tree: what its nodes have numbers of.
//!
//! A metric is one row of [`Metric::TABLE`]. Everything that adds up, stores, merges or reads the
//! numbers of nodes goes over the table.

use std::array::from_fn;
use std::ops::{Index, IndexMut};

/// What a node has a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Timed calls along the node's path; for a thread 1.
    Timed,
    /// Self time.
    SelfTime,
    /// The longest timed call that ended; zero if that is not known.
    Longest,
    /// Counted calls along the node's path, which have no time.
    Counted,
    /// COUNTED records of calls from the node. Each one took some time in it.
    CountRecords,
    /// Timed calls that were not flushed: what they counted is in a node above.
    Unflushed,
    /// Timed calls that ended by an exception, without inferred exits.
    Throws,
    /// Nodes that a summary node stands for, with those below it; zero for any other node.
    Folded,
    /// In a summary node: timed calls of nodes directly below it that were made by its parent.
    /// Directly below a summary node: timed calls of this node's siblings, or itself, that it made.
    /// Zero elsewhere.
    CallsBeside,
    /// How much of the self time virtual threads were parked.
    Parked,
    /// Bytes that threads have allocated on the Java heap while the node was on top of their
    /// stacks.
    Allocated,
    /// How much of the self time threads were preempted ([`crate::OffCpu::preempted`]).
    Preempted,
    /// How much of it they were blocked ([`crate::OffCpu::blocked`]).
    Blocked,
    /// How much of it nobody knows whether they ran ([`crate::OffCpu::unknown`]).
    Unknown,
    /// How often they left their processors ([`crate::OffCpu::switches`]).
    Switches,
}

/// What a metric's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// How often something was.
    Count,
    /// Ticks of the recording's clock.
    Ticks,
    /// Bytes.
    Bytes,
}

/// How the numbers of several nodes become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Their sum, which saturates.
    Sum,
    /// The largest.
    Most,
}

/// Whose numbers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Each run of a series has its own.
    Own,
    /// Only the sum of all runs is kept.
    Sum,
    /// A run has those of the sum: they describe the tree's shape.
    Shared,
}

/// A metric, as all that goes over the table needs it.
#[derive(Clone, Copy, Debug)]
pub struct MetricInfo {
    /// The metric.
    pub metric: Metric,
    /// Its name in files.
    pub key: &'static str,
    /// What its numbers are.
    pub unit: Unit,
    /// How several nodes' numbers become one.
    pub merge: Merge,
    /// The metric whose number no node exceeds.
    pub within: Option<Metric>,
    /// Whether a node also has the sum of its own number and those of its descendants.
    pub has_total: bool,
    /// Whose numbers a series keeps.
    pub runs: Runs,
}

const fn row(metric: Metric, key: &'static str, unit: Unit) -> MetricInfo {
    let (merge, within) = (Merge::Sum, None);
    MetricInfo { metric, key, unit, merge, within, has_total: false, runs: Runs::Own }
}

const fn part_of_self_time(metric: Metric, key: &'static str) -> MetricInfo {
    let within = Some(Metric::SelfTime);
    MetricInfo { within, has_total: true, ..row(metric, key, Unit::Ticks) }
}

impl Metric {
    /// Number of metrics.
    pub const COUNT: usize = Self::TABLE.len();
    /// All metrics, in the order of their places.
    pub const TABLE: [MetricInfo; 15] = {
        use Metric::*;
        use Unit::*;
        let calls = Some(Timed);
        [
            row(Timed, "timed", Count),
            MetricInfo { has_total: true, ..row(SelfTime, "self", Ticks) },
            MetricInfo { merge: Merge::Most, runs: Runs::Sum, ..row(Longest, "longest", Ticks) },
            row(Counted, "counted", Count),
            row(CountRecords, "count-records", Count),
            MetricInfo { within: calls, ..row(Unflushed, "unflushed", Count) },
            MetricInfo { within: calls, ..row(Throws, "throws", Count) },
            MetricInfo { runs: Runs::Shared, ..row(Folded, "folded", Count) },
            MetricInfo { runs: Runs::Shared, ..row(CallsBeside, "calls-beside", Count) },
            part_of_self_time(Parked, "parked"),
            MetricInfo { has_total: true, runs: Runs::Sum, ..row(Allocated, "allocated", Bytes) },
            part_of_self_time(Preempted, "preempted"),
            part_of_self_time(Blocked, "blocked"),
            part_of_self_time(Unknown, "unknown"),
            MetricInfo { has_total: true, ..row(Switches, "switches", Count) },
        ]
    };

    /// Its row of the table.
    pub const fn info(self) -> &'static MetricInfo {
        const TABLE: &[MetricInfo; Metric::COUNT] = &Metric::TABLE;
        &TABLE[self as usize]
    }

    /// All metrics.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::TABLE.into_iter().map(|row| row.metric)
    }

    /// The metric of a name in files.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::TABLE.iter().find(|row| row.key == key).map(|row| row.metric)
    }
}

/// One value for each metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerMetric<T>([T; Metric::COUNT]);

impl<T> PerMetric<T> {
    /// The values that a function has for the metrics.
    pub fn new(mut value: impl FnMut(Metric) -> T) -> Self {
        Self(from_fn(|at| value(Metric::TABLE[at].metric)))
    }

    /// Each metric with its value.
    pub fn iter(&self) -> impl Iterator<Item = (Metric, &T)> {
        Metric::all().zip(&self.0)
    }

    /// Each metric with its value, for changing it.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Metric, &mut T)> {
        Metric::all().zip(&mut self.0)
    }
}

impl<T> Index<Metric> for PerMetric<T> {
    type Output = T;

    #[inline]
    fn index(&self, metric: Metric) -> &T {
        &self.0[metric as usize]
    }
}

impl<T> IndexMut<Metric> for PerMetric<T> {
    #[inline]
    fn index_mut(&mut self, metric: Metric) -> &mut T {
        &mut self.0[metric as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_metric_is_at_its_place_and_has_a_key_of_its_own() {
        for (at, row) in Metric::TABLE.iter().enumerate() {
            assert_eq!(row.metric as usize, at);
            assert_eq!(Metric::of_key(row.key), Some(row.metric));
            assert_eq!(row.metric.info().key, row.key);
        }
    }
}
