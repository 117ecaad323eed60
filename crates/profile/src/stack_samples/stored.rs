//! Samples as the profile file has them.

use serde::{Deserialize, Serialize};

use super::{
    SampleAgreement, SampleCounts, SampleFrame, SampleNode, SampleSource, SampleTree, SampledName,
    SamplesElsewhere, StackSamples,
};
use crate::{Frame, Profile};

/// A part of the profile file: names, and the tree's nodes in preorder.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredStackSamples {
    source: SampleSource,
    period_nanos: u64,
    clock_error_nanos: u64,
    elsewhere: SamplesElsewhere,
    agreement: SampleAgreement,
    names: Vec<SampledName>,
    depths: Vec<u32>,
    frames: Vec<StoredFrame>,
    own: Vec<SampleCounts>,
}

/// A frame: packed as in the recorded tree, or the place of a name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum StoredFrame {
    Recorded(u32),
    Sampled(u32),
}

impl StoredFrame {
    pub fn of(frame: SampleFrame) -> Self {
        match frame {
            SampleFrame::Recorded(frame) => Self::Recorded(frame.pack()),
            SampleFrame::Sampled(name) => Self::Sampled(name),
        }
    }

    /// An error if it is of no kind.
    pub fn frame(self) -> Result<SampleFrame, String> {
        match self {
            Self::Recorded(packed) => Ok(SampleFrame::Recorded(
                Frame::unpack(packed).ok_or_else(|| "a frame of no kind".to_owned())?,
            )),
            Self::Sampled(name) => Ok(SampleFrame::Sampled(name)),
        }
    }
}

impl StoredStackSamples {
    pub fn of(profile: &Profile) -> Self {
        let StackSamples {
            source,
            period_nanos,
            clock_error_nanos,
            elsewhere,
            agreement,
            names,
            tree,
        } = &profile.stack_samples;
        let nodes: Vec<SampleNode> = tree.nodes().map(|node| tree.node(node)).collect();
        Self {
            source: *source,
            period_nanos: *period_nanos,
            clock_error_nanos: *clock_error_nanos,
            elsewhere: *elsewhere,
            agreement: *agreement,
            names: names.clone(),
            depths: nodes.iter().map(|node| node.depth).collect(),
            frames: nodes.iter().map(|node| StoredFrame::of(node.frame)).collect(),
            own: nodes.iter().map(|node| node.own).collect(),
        }
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        let len = self.depths.len();
        if [self.frames.len(), self.own.len()] != [len; 2] {
            return Err(format!("{len} sampled frames, {} of them named", self.frames.len()));
        }
        let nodes = self.depths.iter().zip(&self.frames).zip(&self.own);
        let nodes = nodes.map(|((depth, of), own)| {
            Ok(SampleNode { frame: of.frame()?, depth: *depth, own: *own })
        });
        let nodes = nodes.collect::<Result<Vec<_>, String>>()?;
        let samples = StackSamples {
            source: self.source,
            period_nanos: self.period_nanos,
            clock_error_nanos: self.clock_error_nanos,
            elsewhere: self.elsewhere,
            agreement: self.agreement,
            names: self.names,
            tree: SampleTree::new(nodes)?,
        };
        samples.check(profile.methods.len(), profile.threads.len())?;
        profile.stack_samples = samples;
        Ok(())
    }
}
