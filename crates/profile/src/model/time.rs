//! Times in ticks and nanoseconds.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// A duration in ticks of a profile's clock. Sums saturate.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Ticks(pub u64);

/// A duration in nanoseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Nanos(pub u64);

/// Ticks per second, not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct TickRate(u64);

impl Default for TickRate {
    fn default() -> Self {
        Self::NANOS
    }
}

impl TickRate {
    /// One tick per nanosecond.
    pub const NANOS: Self = Self(1_000_000_000);

    /// A rate of `hz` ticks per second, unless that is zero.
    pub const fn new(hz: u64) -> Option<Self> {
        if hz == 0 { None } else { Some(Self(hz)) }
    }

    /// Ticks per second.
    pub const fn hz(self) -> u64 {
        self.0
    }

    /// `ticks` of this rate in nanoseconds, rounded down. Saturates.
    pub fn nanos(self, ticks: Ticks) -> Nanos {
        Nanos(scale(ticks.0, Self::NANOS.0, self.0))
    }

    /// `ticks` of this rate as ticks of `other`, rounded down. Saturates.
    pub fn convert(self, ticks: Ticks, other: Self) -> Ticks {
        if self == other { ticks } else { Ticks(scale(ticks.0, other.0, self.0)) }
    }
}

fn scale(value: u64, to: u64, from: u64) -> u64 {
    u64::try_from(u128::from(value) * u128::from(to) / u128::from(from)).unwrap_or(u64::MAX)
}

impl TryFrom<u64> for TickRate {
    type Error = &'static str;

    fn try_from(hz: u64) -> Result<Self, Self::Error> {
        Self::new(hz).ok_or("a clock of 0 Hz")
    }
}

impl From<TickRate> for u64 {
    fn from(rate: TickRate) -> Self {
        rate.0
    }
}

impl Add for Ticks {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Ticks {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Ticks {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_become_nanoseconds_without_overflow() {
        let tsc = TickRate::new(2_600_000_000).unwrap();
        assert_eq!(tsc.nanos(Ticks(26)), Nanos(10));
        assert_eq!(tsc.nanos(Ticks(25)), Nanos(9));
        assert_eq!(TickRate::NANOS.nanos(Ticks(u64::MAX)), Nanos(u64::MAX));
        assert_eq!(TickRate::new(1).unwrap().nanos(Ticks(u64::MAX)), Nanos(u64::MAX));
        assert_eq!(tsc.convert(Ticks(26), TickRate::NANOS), Ticks(10));
        assert_eq!(TickRate::new(0), None);
    }
}
