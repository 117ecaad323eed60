//! Whether context switches were recorded.

use serde::{Deserialize, Serialize};

use crate::model::allocation::both_sources;

/// What is known of context switches, beside the times of the nodes
/// ([`crate::NodeNumbers::off_cpu`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// Who told them.
    pub source: CpuSource,
    /// Switches of the threads of the JVM, recorded ones and others.
    pub switches: u64,
    /// Switches that the kernel could not tell, since nobody took the earlier ones in time.
    pub lost: u64,
    /// By how much the running time around a switch may be off at most, in ns: what the kernel does
    /// in a switch, and what the clocks differ by at both its ends. [`OWN_CLOCK_ERROR_NANOS`] by
    /// the threads' own clocks, which tell no switches.
    pub switch_error_nanos: u64,
}

/// Who told the context switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CpuSource {
    /// Nobody asked for them: it is not known when threads ran.
    #[default]
    Unasked,
    /// The kernel's perf events.
    Perf,
    /// They were asked for, and the kernel told none.
    Refused,
    /// In all recordings that were added up someone asked, and not in all the kernel told.
    Some,
    /// Not in all recordings that were added up someone asked.
    Partly,
    /// The threads' own CPU clocks: what a thread did that did not run is not known, and is among
    /// the blocked times.
    ThreadClock,
    /// In some recordings that were added up the threads' clocks, in others the kernel or nobody.
    Mixed,
}

/// What a running time may be off by the readings of a thread's own clock is counted in so many ns
/// ([`crate::OffCpu::switches`]).
pub const OWN_CLOCK_ERROR_NANOS: u64 = 100;

impl Cpu {
    /// That of two recordings together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            source: self.source.and(other.source),
            switches: self.switches.saturating_add(other.switches),
            lost: self.lost.saturating_add(other.lost),
            switch_error_nanos: self.switch_error_nanos.max(other.switch_error_nanos),
        }
    }

    /// Whether any recording knows when threads ran.
    pub fn is_recorded(self) -> bool {
        self.source != CpuSource::Unasked
    }

    /// Whether preempted and blocked times are apart everywhere. Else blocked times hold some that
    /// may be either, and nobody knows which.
    pub fn tells_preempted(self) -> bool {
        !matches!(self.source, CpuSource::ThreadClock | CpuSource::Mixed)
    }

    /// Whether all recordings that were added up asked in one way, and any of them was told: what
    /// is not known is then a part of the times.
    pub fn is_whole(self) -> bool {
        matches!(self.source, CpuSource::Perf | CpuSource::Some | CpuSource::ThreadClock)
    }
}

impl CpuSource {
    fn and(self, other: Self) -> Self {
        let has_clock = |source| matches!(source, Self::ThreadClock | Self::Mixed);
        match [self, other] {
            [Self::ThreadClock, Self::ThreadClock] => Self::ThreadClock,
            both if both.into_iter().any(has_clock) => Self::Mixed,
            both => both_sources(both, Self::Unasked, Self::Partly, Self::Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_with_a_threads_clock_in_it_says_so() {
        use CpuSource::*;
        for (one, other, both) in [
            (ThreadClock, ThreadClock, ThreadClock),
            (Perf, ThreadClock, Mixed),
            (Mixed, Perf, Mixed),
            (ThreadClock, Refused, Mixed),
            (CpuSource::Some, ThreadClock, Mixed),
            (Perf, Refused, CpuSource::Some),
            (Unasked, ThreadClock, Mixed),
            (Partly, Mixed, Mixed),
            (Unasked, Perf, Partly),
        ] {
            assert_eq!((one.and(other), other.and(one)), (both, both));
        }
    }
}
