//! What part of a profile is shown.

use crate::Filter;
use jfathom_calibration::{CorrectedTimes, correct_times};
use jfathom_profile::{Profile, ThreadIx};

/// How the trees of threads are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadTrees {
    /// One tree for each thread.
    #[default]
    Each,
    /// One for the threads of a pool: those whose names differ in numbers only.
    Pools,
    /// One for all threads; its roots are the frames at the bottom of their stacks.
    Merged,
}

/// What part of a profile is shown.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Only threads with this name or, with a leading `#`, this number; where no name is equal,
    /// those that contain it.
    pub thread: Option<String>,
    /// How the trees of threads are shown.
    pub threads: ThreadTrees,
    /// Which call paths are shown, applied in this order.
    pub filters: Vec<Filter>,
    /// Whether times are shown as measured, the probes' cost in them.
    pub is_raw: bool,
}

impl Scope {
    /// The profile's times without the probes' cost, unless raw ones are wanted or there is no
    /// calibration.
    pub fn corrected(&self, profile: &Profile) -> Option<CorrectedTimes> {
        if self.is_raw { None } else { correct_times(profile) }
    }

    /// The threads that are shown; none if no name fits.
    pub fn threads(&self, profile: &Profile) -> Vec<ThreadIx> {
        let all = || (0..).map(ThreadIx).zip(&profile.threads);
        let Some(wanted) = &self.thread else { return all().map(|(ix, _)| ix).collect() };
        if let Some(number) = wanted.strip_prefix('#').and_then(|number| number.parse::<u64>().ok())
        {
            return all()
                .filter(|(_, thread)| thread.sequence == number)
                .map(|(ix, _)| ix)
                .collect();
        }
        let named: Vec<ThreadIx> =
            all().filter(|(_, thread)| thread.name == *wanted).map(|(ix, _)| ix).collect();
        if !named.is_empty() {
            return named;
        }
        all().filter(|(_, thread)| thread.name.contains(&**wanted)).map(|(ix, _)| ix).collect()
    }
}

/// What the numbers of collapsed stacks and the widths of flame graphs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StackWeight {
    /// Nanoseconds in the path's last method itself.
    #[default]
    SelfTime,
    /// Calls that came along the path, timed and counted.
    Calls,
}
