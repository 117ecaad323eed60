//! Run-queue delay of threads.

use jfathom_profile::{Frame, Profile, Scheduling};

/// How a thread waited for a processor while it was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RunQueue {
    /// The delay as a share of the time in which the thread could have run.
    pub share: f64,
    /// The delay in all, in ns. A thread that sleeps has a large share of a small time.
    pub nanos: f64,
}

impl RunQueue {
    /// Those of a profile's threads; none for threads that were not observed. In recorded time
    /// that was not observed a thread may have waited as often as in observed time.
    pub fn of_threads(profile: &Profile, nanos_per_tick: f64) -> Vec<Self> {
        let mut recorded = vec![0.0; profile.threads.len()];
        for root in profile.tree.roots() {
            if let Frame::Thread(thread) = profile.tree.frame(root)
                && let Some(recorded) = recorded.get_mut(thread.0 as usize)
            {
                *recorded += profile.tree.total_time(root).0 as f64 * nanos_per_tick;
            }
        }
        let queue = |(scheduling, recorded): (Option<Scheduling>, f64)| {
            scheduling.map_or(Self::default(), |of| Self::new(of, recorded))
        };
        let scheduling = profile.threads.iter().map(|thread| thread.scheduling);
        scheduling.zip(recorded).map(queue).collect()
    }

    fn new(of: Scheduling, recorded_nanos: f64) -> Self {
        let share = of.queued_share();
        let queued = of.queued_nanos as f64;
        let unobserved = (recorded_nanos - of.observed_nanos as f64).max(0.0);
        // A thread that slept half of the observed time slept half of the rest, too. Two clocks may
        // differ, so what was queued can exceed what was observed.
        let rate = (queued / (of.observed_nanos as f64).max(1.0)).min(share);
        Self { share, nanos: queued + unobserved * rate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleeping_thread_waits_no_longer_than_it_was_seen_to() {
        let scheduling = Scheduling {
            observed_nanos: 1_000,
            ran_nanos: 10,
            queued_nanos: 30,
            involuntary_switches: 1,
        };
        assert_eq!(RunQueue::new(scheduling, 1_000.0), RunQueue { share: 0.75, nanos: 30.0 });
        // Nobody observed the last 400 ns, in which it slept as often.
        assert_eq!(RunQueue::new(scheduling, 1_400.0), RunQueue { share: 0.75, nanos: 42.0 });
    }

    #[test]
    fn a_thread_that_always_could_run_waits_for_its_share_of_unobserved_time() {
        let scheduling = Scheduling {
            observed_nanos: 1_000,
            ran_nanos: 250,
            queued_nanos: 750,
            involuntary_switches: 1,
        };
        assert_eq!(RunQueue::new(scheduling, 1_400.0), RunQueue { share: 0.75, nanos: 1_050.0 });
    }
}
