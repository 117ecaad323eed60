//! Walked stacks as the profile file has them.

use serde::{Deserialize, Serialize};

use super::{StackWalks, WalkedMethod};
use crate::stack_samples::StoredFrame;
use crate::{Profile, SampleCounts, SampleFrame, SampleNode, SampleTree, SampledName};

/// A part of the profile file: methods, names, and the tree's nodes in preorder.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredStackWalks {
    methods: Vec<WalkedMethod>,
    cut: u64,
    names: Vec<SampledName>,
    depths: Vec<u32>,
    frames: Vec<StoredFrame>,
    /// By node: the walks whose outermost frame it is.
    walks: Vec<u64>,
}

impl StoredStackWalks {
    pub fn of(profile: &Profile) -> Self {
        let StackWalks { methods, names, tree, cut } = &profile.stack_walks;
        let nodes: Vec<SampleNode> = tree.nodes().map(|node| tree.node(node)).collect();
        Self {
            methods: methods.clone(),
            cut: *cut,
            names: names.clone(),
            depths: nodes.iter().map(|node| node.depth).collect(),
            frames: nodes.iter().map(|node| StoredFrame::of(node.frame)).collect(),
            walks: nodes.iter().map(|node| node.own.running).collect(),
        }
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        let len = self.depths.len();
        if [self.frames.len(), self.walks.len()] != [len; 2] {
            return Err(format!("{len} walked frames, {} of them named", self.frames.len()));
        }
        let nodes = self.depths.iter().zip(&self.frames).zip(&self.walks);
        let nodes = nodes.map(|((depth, frame), walks)| {
            let own = SampleCounts { running: *walks, native: 0 };
            Ok(SampleNode { frame: frame.frame()?, depth: *depth, own })
        });
        let nodes = nodes.collect::<Result<Vec<_>, String>>()?;
        let is_top = |frame| matches!(frame, SampleFrame::Recorded(_));
        let walks = StackWalks {
            methods: self.methods,
            names: self.names,
            tree: SampleTree::checked(nodes, |frame, depth| depth > 0 || is_top(frame))?,
            cut: self.cut,
        };
        walks.check(profile.methods.len())?;
        profile.stack_walks = walks;
        Ok(())
    }
}
