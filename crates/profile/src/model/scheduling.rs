//! What the kernel's scheduler did with a thread.

use serde::{Deserialize, Serialize};

/// What the kernel's scheduler did with a thread while it was observed.
///
/// The thread ran for a part of the time, waited for a processor for another part (run-queue
/// delay), and waited for something else for the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduling {
    /// How long it was observed, in ns: from the first look after it began to record to the last.
    pub observed_nanos: u64,
    /// Time on a processor, in ns.
    pub ran_nanos: u64,
    /// Run-queue delay, in ns: it could have run, and others did.
    pub queued_nanos: u64,
    /// How often it had to leave the processor though it could have run on.
    pub involuntary_switches: u64,
}

impl Scheduling {
    /// The sum of two observations.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            observed_nanos: self.observed_nanos.saturating_add(other.observed_nanos),
            ran_nanos: self.ran_nanos.saturating_add(other.ran_nanos),
            queued_nanos: self.queued_nanos.saturating_add(other.queued_nanos),
            involuntary_switches: self
                .involuntary_switches
                .saturating_add(other.involuntary_switches),
        }
    }

    /// What was observed since an earlier look at the same thread.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        Self {
            observed_nanos: self.observed_nanos.saturating_sub(before.observed_nanos),
            ran_nanos: self.ran_nanos.saturating_sub(before.ran_nanos),
            queued_nanos: self.queued_nanos.saturating_sub(before.queued_nanos),
            involuntary_switches: self
                .involuntary_switches
                .saturating_sub(before.involuntary_switches),
        }
    }

    /// The sum of what was observed of two threads or runs; none if neither was.
    pub fn sum(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one.plus(other)),
            (one, other) => one.or(other),
        }
    }

    /// Run-queue delay as a share of the time in which it could have run; 0 if it never could.
    pub fn queued_share(self) -> f64 {
        let could_run = self.ran_nanos.saturating_add(self.queued_nanos);
        self.queued_nanos as f64 / (could_run as f64).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_keeps_what_was_observed() {
        let one = Scheduling {
            observed_nanos: 10,
            ran_nanos: 3,
            queued_nanos: 1,
            involuntary_switches: 2,
        };
        assert_eq!(Scheduling::sum(Some(one), None), Some(one));
        assert_eq!(Scheduling::sum(None, None), None);
        let two = Scheduling::sum(Some(one), Some(one)).unwrap();
        assert_eq!((two.observed_nanos, two.involuntary_switches), (20, 4));
        assert_eq!(two.queued_share(), 0.25);
        assert_eq!(Scheduling::default().queued_share(), 0.0);
    }
}
