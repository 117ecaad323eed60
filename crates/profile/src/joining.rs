//! What the joining of slices needs beside their content, as the profile file has it.

use serde::{Deserialize, Serialize};

use crate::Profile;

/// A part of the profile file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Joining {
    /// [`crate::Latencies::most_slowest`].
    most_slowest: u64,
    /// [`crate::Slice::recording`]; zero if the profile is no slice.
    recording: u64,
    /// [`crate::Latencies::slowest_without_spans`].
    without_spans: u64,
}

impl Joining {
    pub fn from_profile(profile: &Profile) -> Self {
        Self {
            most_slowest: profile.latencies.most_slowest as u64,
            recording: profile.slice.as_ref().map_or(0, |slice| slice.recording),
            without_spans: profile.latencies.slowest_without_spans,
        }
    }

    /// Gives the profile what it lacks.
    pub fn add_to(self, profile: &mut Profile) {
        profile.latencies.most_slowest = usize::try_from(self.most_slowest).unwrap_or(usize::MAX);
        profile.latencies.slowest_without_spans = self.without_spans;
        if let Some(slice) = &mut profile.slice {
            slice.recording = self.recording;
        }
    }
}
