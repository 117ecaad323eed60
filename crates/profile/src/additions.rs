//! What follows the profile's own tables in the body of the profile file.

use serde::{Deserialize, Serialize};

use crate::{KnownCalibration, Profile, Scheduling};

/// Additions, in the order of the profile's tables. A shorter list says nothing of the rest.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Additions {
    /// By JVM.
    known_calibrations: Vec<Option<KnownCalibration>>,
    /// By thread.
    scheduling: Vec<Option<Scheduling>>,
    /// By run, then by thread.
    runs: Vec<Vec<Option<Scheduling>>>,
}

impl Additions {
    pub fn from_profile(profile: &Profile) -> Self {
        let known = profile.meta.jvms.iter().map(|jvm| jvm.known_calibration.clone());
        let of_run = |run: &crate::Run| run.threads.iter().map(|times| times.scheduling).collect();
        Self {
            known_calibrations: known.collect(),
            scheduling: profile.threads.iter().map(|thread| thread.scheduling).collect(),
            runs: profile.runs.iter().map(of_run).collect(),
        }
    }

    /// Gives the profile what it lacks.
    pub fn add_to(self, profile: &mut Profile) {
        for (jvm, known) in profile.meta.jvms.iter_mut().zip(self.known_calibrations) {
            jvm.known_calibration = known;
        }
        for (thread, scheduling) in profile.threads.iter_mut().zip(self.scheduling) {
            thread.scheduling = scheduling;
        }
        for (run, of_run) in profile.runs.iter_mut().zip(self.runs) {
            for (times, scheduling) in run.threads.iter_mut().zip(of_run) {
                times.scheduling = scheduling;
            }
        }
    }
}
