//! Tasks that were handed off, as a profile's file has them.

use crate::{Profile, Run};
use serde::{Deserialize, Serialize};

/// [`crate::Quality::handed_off`] of a profile and of each of its runs.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredHandedOff {
    all: u64,
    of_runs: Vec<u64>,
}

impl StoredHandedOff {
    pub(crate) fn of(profile: &Profile) -> Self {
        let all = profile.quality.handed_off;
        let of_run = |run: &Run| run.info.quality.handed_off;
        let of_runs = profile.runs.iter().map(of_run).collect();
        Self { all, of_runs }
    }

    /// Whether nothing was handed off.
    pub(crate) fn is_empty(&self) -> bool {
        self.all == 0 && self.of_runs.iter().all(|tasks| *tasks == 0)
    }

    pub(crate) fn add_to(self, profile: &mut Profile) {
        profile.quality.handed_off = self.all;
        for (run, tasks) in profile.runs.iter_mut().zip(self.of_runs) {
            run.info.quality.handed_off = tasks;
        }
    }
}
