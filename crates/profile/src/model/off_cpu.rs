//! How much of a time a thread did not run.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::{Metric, Ticks};

/// The parts of a time in which a thread had no processor, or in which that is not known. For the
/// rest it ran. Sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffCpu {
    /// It would have gone on, and waited for a processor.
    pub preempted: Ticks,
    /// It waited for something else: a lock, a sleep, input or output. By a thread's own clock all
    /// time in which it did not run ([`crate::Cpu::tells_preempted`]).
    pub blocked: Ticks,
    /// Not known: the kernel did not tell the thread's switches, or a virtual thread was between
    /// two carriers.
    pub unknown: Ticks,
    /// How often it left its processor for one of the first two. By a thread's own clock, what the
    /// running time may be off, counted in [`crate::OWN_CLOCK_ERROR_NANOS`].
    pub switches: u64,
}

impl OffCpu {
    /// All times together.
    pub fn all(self) -> Ticks {
        self.preempted + self.blocked + self.unknown
    }

    /// Whether all parts are zero.
    pub fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// So much of it as fits into `time`: of unknown time first the most, for it claims nothing.
    #[must_use]
    pub(crate) fn within(self, time: Ticks) -> Self {
        let unknown = self.unknown.min(time);
        let rest = Ticks(time.0 - unknown.0);
        let blocked = self.blocked.min(rest);
        let rest = Ticks(rest.0 - blocked.0);
        Self { preempted: self.preempted.min(rest), blocked, unknown, switches: self.switches }
    }

    /// The numbers in the order of [`OffCpu::METRICS`].
    pub(crate) fn parts(self) -> [u64; 4] {
        [self.preempted.0, self.blocked.0, self.unknown.0, self.switches]
    }

    pub(crate) fn of_parts([preempted, blocked, unknown, switches]: [u64; 4]) -> Self {
        let [preempted, blocked, unknown] = [preempted, blocked, unknown].map(Ticks);
        Self { preempted, blocked, unknown, switches }
    }

    /// The metrics of its parts.
    pub const METRICS: [Metric; 4] =
        [Metric::Preempted, Metric::Blocked, Metric::Unknown, Metric::Switches];
}

impl Add for OffCpu {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            preempted: self.preempted + other.preempted,
            blocked: self.blocked + other.blocked,
            unknown: self.unknown + other.unknown,
            switches: self.switches.saturating_add(other.switches),
        }
    }
}

impl AddAssign for OffCpu {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
