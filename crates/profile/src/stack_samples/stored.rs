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
    /// A packed frame, or the place of a name.
    frames: Vec<StoredFrame>,
    own: Vec<SampleCounts>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum StoredFrame {
    Recorded(u32),
    Sampled(u32),
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
        let frame = |node: &SampleNode| match node.frame {
            SampleFrame::Recorded(frame) => StoredFrame::Recorded(frame.pack()),
            SampleFrame::Sampled(name) => StoredFrame::Sampled(name),
        };
        Self {
            source: *source,
            period_nanos: *period_nanos,
            clock_error_nanos: *clock_error_nanos,
            elsewhere: *elsewhere,
            agreement: *agreement,
            names: names.clone(),
            depths: nodes.iter().map(|node| node.depth).collect(),
            frames: nodes.iter().map(frame).collect(),
            own: nodes.iter().map(|node| node.own).collect(),
        }
    }

    /// Gives the profile what it lacks. An error names a contradiction.
    pub fn add_to(self, profile: &mut Profile) -> Result<(), String> {
        let len = self.depths.len();
        if [self.frames.len(), self.own.len()] != [len; 2] {
            return Err(format!("{len} sampled frames, {} of them named", self.frames.len()));
        }
        let frame = |frame: &StoredFrame| match frame {
            StoredFrame::Recorded(packed) => {
                Frame::unpack(*packed).map(SampleFrame::Recorded).ok_or("a frame of no kind")
            }
            StoredFrame::Sampled(name) => Ok(SampleFrame::Sampled(*name)),
        };
        let nodes = self.depths.iter().zip(&self.frames).zip(&self.own);
        let nodes = nodes.map(|((depth, of), own)| {
            Ok(SampleNode { frame: frame(of)?, depth: *depth, own: *own })
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
