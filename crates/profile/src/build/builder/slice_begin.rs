//! What a slice has in common with the one before.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::build::tree_builder::{Moved, NONE, TreeBuilder, preorder};
use crate::{Carried, Slice, SliceStart};

/// What a builder knows of being a slice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SliceBegin {
    pub number: u32,
    /// Nodes with calls that were open when the slice began, and how many.
    pub carried: BTreeMap<u32, u64>,
    pub start: SliceStart,
}

impl SliceBegin {
    /// The slice, with the nodes' places in the tree.
    pub fn slice(&self, tree: &TreeBuilder) -> Slice {
        let mut carried: Vec<Carried> = match self.carried.is_empty() {
            true => Vec::new(),
            false => (0..)
                .zip(preorder(tree))
                .filter_map(|(place, (node, _))| {
                    let calls = *self.carried.get(&node)?;
                    Some(Carried { node: place, calls })
                })
                .collect(),
        };
        carried.sort_unstable_by_key(|of| of.node);
        Slice { number: self.number, carried, recording: self.start.recording }
    }

    /// Finds its nodes where they are after a fold, in which they stayed.
    pub fn follow(&mut self, moved: &Moved) {
        let carried = std::mem::take(&mut self.carried);
        self.carried = carried.into_iter().map(|(node, calls)| (moved.to(node), calls)).collect();
    }

    /// Whether its nodes are in the tree, with so many calls.
    pub fn fits(&self, tree: &TreeBuilder) -> bool {
        self.carried.iter().all(|(node, calls)| {
            *node != NONE && tree.nodes.get(*node as usize).is_some_and(|of| of.calls >= *calls)
        })
    }
}
