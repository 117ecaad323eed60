//! Times without a processor, as the profile file has them.

use serde::{Deserialize, Serialize};

use crate::column::Column;
use crate::column::column;
use crate::{Cpu, Profile};

/// A part of the profile file: the times of the nodes that have any, ascending by node.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredCpu {
    cpu: Cpu,
    /// Node, and [`crate::OffCpu`]'s preempted, blocked and unknown ticks, and switches.
    parts: [Vec<(u32, u64)>; 4],
}

impl StoredCpu {
    pub fn of(profile: &Profile) -> Self {
        let mut parts: [Vec<(u32, u64)>; 4] = Default::default();
        let tree = &profile.tree;
        for node in tree.nodes().filter(|node| !tree.off_cpu(*node).is_zero()) {
            for (part, ticks) in parts.iter_mut().zip(tree.off_cpu(node).parts()) {
                part.extend((ticks != 0).then_some((node.0, ticks)));
            }
        }
        Self { cpu: profile.cpu, parts }
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        profile.cpu = self.cpu;
        let mut columns: [Column; 4] = Default::default();
        for (to, part) in columns.iter_mut().zip(&self.parts) {
            *to = column(profile.tree.len(), part)?;
        }
        profile.tree.set_off_cpu(columns)
    }
}
