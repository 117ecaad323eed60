//! Parked times of virtual threads, as the profile file has them.

use serde::{Deserialize, Serialize};

use crate::column::column;
use crate::{Mounts, Profile};

/// A part of the profile file: parked times of the few nodes that have any, ascending by node.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parked {
    mounts: Mounts,
    /// Node, and [`crate::NodeNumbers::parked`].
    nodes: Vec<(u32, u64)>,
}

impl Parked {
    pub fn of(profile: &Profile) -> Self {
        let tree = &profile.tree;
        let nodes = if tree.has_parked() {
            let all = tree.nodes().map(|node| (node.0, tree.parked(node).0));
            all.filter(|(_, parked)| *parked != 0).collect()
        } else {
            Vec::new()
        };
        Self { mounts: profile.mounts, nodes }
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        profile.mounts = self.mounts;
        let parked = column(profile.tree.len(), &self.nodes)?;
        profile.tree.set_parked(parked)
    }
}
