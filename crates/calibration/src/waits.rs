//! The waits pass: time in which a thread waits for others, and the share of it that their probes
//! caused.
//!
//! A thread that waits for another also waits for its probes. The recording does not show for which
//! thread it waits. So the pass assumes the share that the other threads spent in their probes, and
//! subtracts it from the wait. The error is the share itself, combined with the error of those
//! threads' times: the wait may have been for something else. Both are at most what the other
//! threads' probes cost in all: a wait for nobody at work is not longer by their probes. The
//! perturbation analysis of Malony, Reed and Wijshoff (IEEE TPDS 3(4), 1992) would need the pairs
//! of synchronising events.

use jfathom_profile::{Frame, MethodIx, NodeIx, Profile, Thread, Tree};

use crate::root_sums::RootSums;
use crate::{Times, fitted};

/// The share of a thread's waits that went into other threads' probes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct WaitShare {
    /// The share (0 to 1).
    pub probes: f64,
    /// Its error bar.
    pub error: f64,
    /// The share in which other threads can have been at work.
    pub others: f64,
}

/// Activity of a thread, in ns.
#[derive(Clone, Copy, Debug, Default)]
struct Activity {
    /// Time in nodes that do not wait.
    busy: f64,
    /// Probe cost in that time.
    probes: f64,
    /// Error bar of `probes`.
    error: f64,
    /// Time in nodes that wait.
    waits: f64,
    /// Number of threads.
    threads: f64,
}

/// For each thread, the share of its waits that went into other threads' probes. `times` are the
/// nodes' times before the wait correction, `thread_start_nanos` what each other thread's start
/// cost.
pub(crate) fn wait_shares(
    profile: &Profile,
    roots: &[RootSums],
    times: &[Times],
    thread_start_nanos: f64,
) -> Vec<WaitShare> {
    let mut threads = vec![Activity::default(); profile.threads.len()];
    for of in roots {
        let Some(thread) = threads.get_mut(of.thread) else { continue };
        let times = times.get(of.root.0 as usize);
        let corrected = times.map_or(of.measured_nanos, |times| times.total_nanos);
        thread.busy += (of.measured_nanos - of.waits_nanos).max(0.0);
        thread.waits += of.waits_nanos;
        thread.probes += (of.measured_nanos - corrected).max(0.0);
        thread.error += times.map_or(0.0, |times| times.total_error_nanos);
    }
    let jvms = profile.threads.iter().map(|thread| thread.jvm as usize + 1).max().unwrap_or(0);
    let mut sums = vec![Activity::default(); jvms];
    for (thread, activity) in profile.threads.iter().zip(&threads) {
        let sum = &mut sums[thread.jvm as usize];
        sum.busy += activity.busy;
        sum.probes += activity.probes;
        sum.error += activity.error;
        sum.threads += 1.0;
    }
    let share = |(thread, own): (&Thread, &Activity)| {
        let all = sums[thread.jvm as usize];
        let starts = (all.threads - 1.0) * thread_start_nanos;
        let others = Activity {
            busy: all.busy - own.busy + starts,
            probes: all.probes - own.probes + starts,
            error: all.error - own.error + starts,
            ..Activity::default()
        };
        others.wait_share(own.waits)
    };
    profile.threads.iter().zip(&threads).map(share).collect()
}

impl Activity {
    /// The share of `waits` nanoseconds of waiting for threads with this activity that went into
    /// their probes.
    fn wait_share(self, waits: f64) -> WaitShare {
        let of_waits = |nanos: f64| (nanos / waits.max(1.0)).clamp(0.0, 1.0);
        let share = |nanos: f64| match self.busy > 0.0 {
            true => {
                let of_busy = (nanos / self.busy).clamp(0.0, fitted::LARGEST_WAIT_SHARE);
                of_busy.min(of_waits(nanos))
            }
            false => 0.0,
        };
        let probes = share(self.probes);
        let error = probes.hypot(share(self.error));
        WaitShare { probes, error, others: of_waits(self.busy) }
    }
}

/// The methods of a profile that wait for other threads or for a time.
#[derive(Debug)]
pub(crate) struct WaitingMethods {
    /// By method.
    is_wait: Vec<bool>,
    nanos_per_tick: f64,
}

impl WaitingMethods {
    /// `nanos_per_tick` is that of the profile's clock.
    pub(crate) fn new(profile: &Profile, nanos_per_tick: f64) -> Self {
        let is_wait = profile.methods.iter().map(|method| method.info.waits).collect();
        Self { is_wait, nanos_per_tick }
    }

    /// Whether a method waits.
    #[inline]
    pub(crate) fn is_wait(&self, method: MethodIx) -> bool {
        self.is_wait.get(method.0 as usize) == Some(&true)
    }

    /// How much of a node's own measured time is waiting for other threads, in nanoseconds.
    #[inline]
    pub(crate) fn nanos(&self, tree: &Tree, node: NodeIx) -> f64 {
        match tree.frame(node) {
            Frame::Method(method) if self.is_wait(method) => {
                let self_nanos = tree.self_time(node).0 as f64 * self.nanos_per_tick;
                let calls = tree.timed(node).max(1) as f64;
                let is_long = self_nanos >= fitted::SHORTEST_WAIT_NANOS * calls;
                if is_long { self_nanos } else { 0.0 }
            }
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_for_probes_as_far_as_the_others_were_busy_with_theirs() {
        let share = |busy, probes, error, waits| {
            let found = Activity { busy, probes, error, ..Activity::default() }.wait_share(waits);
            (found.probes, found.error, found.others)
        };
        assert_eq!(share(100.0, 30.0, 40.0, 100.0), (0.3, 0.5, 1.0));
        assert_eq!(share(100.0, 99.0, 0.0, 10.0), (0.9, 0.9, 1.0));
        assert_eq!(share(0.0, 5.0, 5.0, 10.0), (0.0, 0.0, 0.0));
    }

    #[test]
    fn a_wait_is_not_longer_by_more_than_others_probes_cost() {
        let server = Activity { busy: 10.0, probes: 3.0, error: 4.0, ..Activity::default() };
        let found = server.wait_share(1000.0);
        assert_eq!((found.probes, found.error, found.others), (0.003, 0.005, 0.01));
    }
}
