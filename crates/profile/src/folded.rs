//! What was folded, as the profile file has it.

use serde::{Deserialize, Serialize};

use crate::column::column;
use crate::{Frame, Profile};

/// A part of the profile file: numbers of the few nodes that have any, ascending by node.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Folded {
    /// Node, and [`crate::NodeNumbers::folded`].
    nodes: Vec<(u32, u64)>,
    /// Node, and [`crate::NodeNumbers::calls_beside`].
    calls_beside: Vec<(u32, u64)>,
}

impl Folded {
    pub fn of(profile: &Profile) -> Self {
        let tree = &profile.tree;
        if tree.summary_nodes().next().is_none() {
            return Self::default();
        }
        let calls = tree.nodes().map(|node| (node.0, tree.calls_beside(node)));
        Self {
            nodes: tree.summary_nodes().map(|node| (node.0, tree.folded(node))).collect(),
            calls_beside: calls.filter(|(_, calls)| *calls != 0).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        let tree = &profile.tree;
        for (node, folded) in &self.nodes {
            let is_there = (*node as usize) < tree.len();
            let frame = || tree.frame(crate::NodeIx(*node));
            let method = match is_there.then(frame) {
                Some(Frame::Method(method)) => profile.methods.get(method.0 as usize),
                _ => None,
            };
            if method.is_none_or(|method| !method.info.is_folded()) {
                return Err(format!("{folded} nodes folded in node {node}"));
            }
        }
        let nodes = column(tree.len(), &self.nodes)?;
        let calls = column(tree.len(), &self.calls_beside)?;
        profile.tree.set_folded(nodes, calls)
    }
}
