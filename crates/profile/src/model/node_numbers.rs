//! The numbers of a node, and amounts of memory.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::model::metric::{Merge, Metric, PerMetric, Unit};
use crate::{OffCpu, Ticks};

/// The numbers of a node, one for each metric.
pub type NodeNumbers = PerMetric<u64>;

impl NodeNumbers {
    /// Some numbers, and zero for all other metrics.
    pub fn of(numbers: &[(Metric, u64)]) -> Self {
        let mut all = Self::default();
        numbers.iter().for_each(|(metric, number)| all[*metric] = *number);
        all
    }

    /// The same numbers but one.
    #[must_use]
    pub fn with(mut self, metric: Metric, number: u64) -> Self {
        self[metric] = number;
        self
    }

    /// All calls along the node's path, timed and counted.
    pub fn calls(&self) -> u64 {
        self[Metric::Timed].saturating_add(self[Metric::Counted])
    }

    /// How much of the self time threads had no processor.
    pub fn off_cpu(&self) -> OffCpu {
        OffCpu::of_parts(OffCpu::METRICS.map(|metric| self[metric]))
    }

    /// Sets the four metrics of [`NodeNumbers::off_cpu`].
    pub fn set_off_cpu(&mut self, off_cpu: OffCpu) {
        let parts = off_cpu.parts();
        OffCpu::METRICS.into_iter().zip(parts).for_each(|(metric, part)| self[metric] = part);
    }

    /// Bytes that were allocated in the node itself.
    pub fn allocated(&self) -> Bytes {
        Bytes(self[Metric::Allocated])
    }

    /// The same numbers with other times.
    #[must_use]
    pub fn map_times(mut self, time: impl Fn(Ticks) -> Ticks) -> Self {
        for (_, number) in self.iter_mut().filter(|(of, _)| of.info().unit == Unit::Ticks) {
            *number = time(Ticks(*number)).0;
        }
        self
    }

    /// Adds the numbers of another node.
    pub fn add(&mut self, other: &Self) {
        for (metric, number) in self.iter_mut() {
            *number = merged(metric, *number, other[metric]);
        }
    }

    /// Adds one number of another node.
    pub fn add_to(&mut self, metric: Metric, number: u64) {
        self[metric] = merged(metric, self[metric], number);
    }
}

/// The numbers of two nodes as one.
pub(crate) fn merged(metric: Metric, one: u64, other: u64) -> u64 {
    match metric.info().merge {
        Merge::Sum => one.saturating_add(other),
        Merge::Most => one.max(other),
    }
}

/// An amount of memory in bytes. Sums saturate.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Add for Bytes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self(0), Add::add)
    }
}
