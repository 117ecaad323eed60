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
    /// that was not observed a thread may have waited for the same share.
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
        let unobserved = (recorded_nanos - of.observed_nanos as f64).max(0.0);
        Self { share, nanos: of.queued_nanos as f64 + unobserved * share }
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
        // A quarter of the time was observed by nobody.
        assert_eq!(RunQueue::new(scheduling, 1_400.0), RunQueue { share: 0.75, nanos: 330.0 });
    }
}
