//! Slices of a recording that goes on: each is a profile of its own.

use jfathom_plan::Problem;
use serde::{Deserialize, Serialize};

use crate::{Frame, NodeIx, Tree};

/// Which slice of its recording a profile is, and what it has in common with the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slice {
    /// From 0, in the order of time.
    pub number: u32,
    /// Calls that were open when the slice began, by the place of their nodes in the tree,
    /// ascending. They are among the tree's calls, and were open at the end of the slice before.
    pub carried: Vec<Carried>,
    /// The recording among those of one JVM: its begin, in ms since the Unix epoch.
    pub recording: u64,
}

/// Calls of one node that were open when the slice began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// Index of the node, a method's or a task's.
    pub node: u32,
    /// Its calls, at least one.
    pub calls: u64,
}

impl Slice {
    /// The calls that were open when the slice began.
    pub fn carried_calls(&self) -> u64 {
        self.carried.iter().map(|of| of.calls).fold(0, u64::saturating_add)
    }

    /// Calls of a node that were open when the slice began.
    pub fn carried_in(&self, node: NodeIx) -> u64 {
        let found = self.carried.binary_search_by_key(&node.0, |of| of.node);
        found.ok().and_then(|at| self.carried.get(at)).map_or(0, |of| of.calls)
    }

    /// What contradicts the slice's tree.
    pub(crate) fn check(&self, tree: &Tree) -> Result<(), Problem> {
        let is_sound = |of: &Carried| {
            of.calls > 0
                && (of.node as usize) < tree.len()
                && tree.timed(NodeIx(of.node)) >= of.calls
                && !matches!(tree.frame(NodeIx(of.node)), Frame::Thread(_))
        };
        let ascends = self.carried.windows(2).all(|pair| pair[0].node < pair[1].node);
        match ascends && self.carried.iter().all(is_sound) {
            true => Ok(()),
            false => Err("open calls of the slice before that are not in the tree".into()),
        }
    }
}
