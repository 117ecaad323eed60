//! Allocated bytes, as the profile file has them.

use serde::{Deserialize, Serialize};

use crate::column::column;
use crate::{Allocation, Profile};

/// A part of the profile file: allocated bytes of the nodes that have any, ascending by node.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredAllocation {
    allocation: Allocation,
    /// Node, and [`crate::NodeNumbers::allocated`].
    nodes: Vec<(u32, u64)>,
}

impl StoredAllocation {
    pub fn of(profile: &Profile) -> Self {
        let tree = &profile.tree;
        let nodes = if tree.has_allocated() {
            let all = tree.nodes().map(|node| (node.0, tree.allocated(node).0));
            all.filter(|(_, bytes)| *bytes != 0).collect()
        } else {
            Vec::new()
        };
        Self { allocation: profile.allocation, nodes }
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        profile.allocation = self.allocation;
        let allocated = column(profile.tree.len(), &self.nodes)?;
        profile.tree.set_allocated(allocated)
    }
}
