//! Which part of a time threads ran.

use crate::Shown;
use jfathom_compare::HotMethod;
use jfathom_profile::{Metric, NodeIx, NodeNumbers, Profile};

/// The parts of a time in ns. What is left of it virtual threads were parked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuTimes {
    /// Threads ran. Where `unknown` is not zero it may be up to so much more.
    pub running: f64,
    preempted: f64,
    /// With the preempted time, where that is not known apart.
    blocked: f64,
    /// It is not known what threads did.
    pub unknown: f64,
    switches: u64,
    is_one_part: bool,
    /// By how much the running time may be off for what is not known of switches.
    pub error: f64,
}

/// With a larger part of unknown time a running time is but a lower bound.
const UNKNOWN_SHARE: f64 = 0.01;

impl CpuTimes {
    /// The parts of a time in ns. The cost of probes is taken out of running time alone: a thread
    /// that waits runs no probe. So what a correction has taken is missing in the running part.
    pub(crate) fn of(profile: &Profile, time: f64, numbers: &NodeNumbers) -> Self {
        let tick = 1e9 / profile.rate.hz() as f64;
        let nanos = |metric| numbers[metric] as f64 * tick;
        let [parked, preempted, blocked, unknown] =
            [Metric::Parked, Metric::Preempted, Metric::Blocked, Metric::Unknown].map(nanos);
        let running = time - parked - preempted - blocked - unknown;
        let switches = numbers[Metric::Switches];
        let error = switches as f64 * profile.cpu.switch_error_nanos as f64;
        let is_one_part = !profile.cpu.tells_preempted();
        Self {
            running: running.max(0.0),
            preempted,
            blocked,
            unknown,
            switches,
            is_one_part,
            error,
        }
    }

    /// A time in which threads were blocked, and nothing else.
    pub fn blocked_for(nanos: f64) -> Self {
        Self { blocked: nanos, ..Self::default() }
    }

    /// Threads would have gone on, and waited for a processor. None where that cannot be told from
    /// blocked time.
    pub fn preempted(self) -> Option<f64> {
        (!self.is_one_part).then_some(self.preempted)
    }

    /// Threads waited for something else than a processor; likewise.
    pub fn blocked(self) -> Option<f64> {
        (!self.is_one_part).then_some(self.blocked)
    }

    /// Threads were preempted or blocked.
    pub fn not_running(self) -> f64 {
        self.preempted + self.blocked
    }

    /// How often a thread left its processor. None where nobody has counted it.
    pub fn switches(self) -> Option<u64> {
        (!self.is_one_part).then_some(self.switches)
    }

    /// The parts of two times together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            running: self.running + other.running,
            preempted: self.preempted + other.preempted,
            blocked: self.blocked + other.blocked,
            unknown: self.unknown + other.unknown,
            switches: self.switches.saturating_add(other.switches),
            is_one_part: self.is_one_part || other.is_one_part,
            error: self.error + other.error,
        }
    }

    /// Whether the running time is but a lower bound.
    pub fn is_partly_unknown(self) -> bool {
        let all = self.running + self.not_running() + self.unknown;
        self.unknown > all * UNKNOWN_SHARE
    }
}

/// The parts of a method's self time and of its total time; none if switches were not recorded.
pub fn method_cpu(profile: &Profile, hot: &HotMethod, is_corrected: bool) -> Option<[CpuTimes; 2]> {
    let tick = 1e9 / profile.rate.hz() as f64;
    let [own, total] = match is_corrected {
        true => [hot.times.self_nanos, hot.times.total_nanos],
        false => [&hot.own, &hot.total].map(|of| of[Metric::SelfTime] as f64 * tick),
    };
    profile
        .cpu
        .is_recorded()
        .then(|| [CpuTimes::of(profile, own, &hot.own), CpuTimes::of(profile, total, &hot.total)])
}

impl Shown<'_> {
    /// The parts of a node's self time and of its total time; none if switches were not recorded.
    pub fn cpu(&self, node: NodeIx) -> Option<[CpuTimes; 2]> {
        let profile = self.profile;
        profile.cpu.is_recorded().then(|| {
            [
                CpuTimes::of(profile, self.self_time(node), &self.tree.numbers(node)),
                CpuTimes::of(profile, self.total(node), &self.tree.totals(node)),
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::{CpuSource, TickRate};

    fn off_cpu(preempted: u64, blocked: u64, unknown: u64) -> NodeNumbers {
        NodeNumbers::of(&[
            (Metric::Preempted, preempted),
            (Metric::Blocked, blocked),
            (Metric::Unknown, unknown),
            (Metric::Switches, 3),
        ])
    }

    #[test]
    fn what_is_left_ran() {
        let meta = Default::default();
        let mut profile = Profile::without_records(TickRate::new(500_000_000).unwrap(), &meta);
        profile.cpu.switch_error_nanos = 7;
        let of = |time, parked, off_cpu: NodeNumbers| {
            CpuTimes::of(&profile, time, &off_cpu.with(Metric::Parked, parked))
        };
        let times = of(1_000.0, 50, off_cpu(10, 200, 1));
        assert_eq!(times.running, 478.0);
        assert_eq!((times.preempted(), times.blocked()), (Some(20.0), Some(400.0)));
        assert_eq!((times.switches(), times.error), (Some(3), 21.0));
        assert!(!times.is_partly_unknown());
        assert!(of(1_000.0, 0, off_cpu(0, 0, 11)).is_partly_unknown());
        // A correction may take more than the thread ran.
        assert_eq!(of(390.0, 0, off_cpu(0, 200, 0)).running, 0.0);
    }

    #[test]
    fn what_nobody_told_apart_is_one_part() {
        let meta = Default::default();
        let mut profile = Profile::without_records(TickRate::NANOS, &meta);
        let told = CpuTimes::of(&profile, 1_000.0, &off_cpu(10, 200, 0));
        for source in [CpuSource::ThreadClock, CpuSource::Mixed] {
            profile.cpu.source = source;
            let times = CpuTimes::of(&profile, 1_000.0, &off_cpu(10, 200, 0));
            assert_eq!((times.running, times.not_running()), (790.0, 210.0));
            for times in [times, times.plus(told), told.plus(times)] {
                assert_eq!(
                    (times.preempted(), times.blocked(), times.switches()),
                    (None, None, None)
                );
            }
        }
    }
}
