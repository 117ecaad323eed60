//! The hand-offs of the slowest calls, as the profile file has them.

use serde::{Deserialize, Serialize};

use crate::{HandOff, HandOffs, Profile};

/// A part of the profile file: the slow calls that have any, ascending.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredHandOffs(Vec<(u32, u32, Vec<HandOff>)>);

impl StoredHandOffs {
    pub fn of(profile: &Profile) -> Self {
        let calls = (0..).zip(&profile.latencies.slowest);
        let some = calls.filter(|(_, call)| call.hand_offs != HandOffs::default());
        Self(
            some.map(|(at, call)| (at, call.hand_offs.task, call.hand_offs.made.clone())).collect(),
        )
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        for (at, task, made) in self.0 {
            let call = profile.latencies.slowest.get_mut(at as usize);
            let call = call.ok_or_else(|| format!("hand-offs of slowest call {at}, of none"))?;
            call.hand_offs = HandOffs { task, made };
        }
        Ok(())
    }
}
