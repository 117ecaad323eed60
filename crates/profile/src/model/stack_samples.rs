//! Stacks that were sampled in the recorded run, below the nodes in which they were.

mod tree;
mod tree_builder;

use jfathom_plan::Problem;
use serde::{Deserialize, Serialize};

pub use self::tree::{SampleCounts, SampleFrame, SampleIx, SampleNode, SampleTree};
pub use self::tree_builder::SampleTreeBuilder;
use crate::Frame;
use crate::model::allocation::both_sources;

/// What samples of a recorded run say. They are no measured times: each stands for about
/// [`StackSamples::period_nanos`] of one thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StackSamples {
    /// Who took them.
    pub source: SampleSource,
    /// Nanoseconds between two looks at a running thread; zero if that is not known.
    pub period_nanos: u64,
    /// How long threads were sampled, in ns; zero if that is not known.
    pub sampled_nanos: u64,
    /// From when a root was live to the end of sampling, in ns.
    pub spanned_nanos: u64,
    /// How far the samples' clock may be off from that of the records, in ns.
    pub clock_error_nanos: u64,
    /// Where samples were that are in no node.
    pub elsewhere: SamplesElsewhere,
    /// How far stacks and recorded calls agree.
    pub agreement: SampleAgreement,
    /// The names of frames without a probe.
    pub names: Vec<SampledName>,
    /// The samples in recorded calls. Its roots are threads; recorded frames lead to the frames
    /// without a probe.
    pub tree: SampleTree,
}

/// Who took samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SampleSource {
    /// Nobody asked for samples.
    #[default]
    Unasked,
    /// The JVM's own recorder (JFR).
    Jfr,
    /// The agent.
    Agent,
    /// They were asked for, and there are none.
    Missing,
    /// In all recordings that were added up someone asked, and not in all there are some.
    Some,
    /// Not in all recordings that were added up someone asked.
    Partly,
    /// They were asked for, and are told when the recording ends.
    Pending,
}

/// Samples that are in no node of the tree, or not where their frames say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplesElsewhere {
    /// Outside of all recorded calls.
    pub outside: SampleCounts,
    /// Of stacks whose outer frames are missing, where the time does not say where they were.
    pub truncated: SampleCounts,
    /// In jfathom's own runtime, in no recorded call.
    pub in_runtime: SampleCounts,
    /// Without a stack, or on threads of which nothing was recorded.
    pub unknown: u64,
    /// In the tree, on call paths that it does not have: they are in the deepest node of the path
    /// that it has.
    pub off_path: u64,
    /// In the tree, without their innermost frames, since there were too many.
    pub cut: u64,
    /// Whether the recorder has thrown samples away, since they were too many.
    pub thrown_away: bool,
}

/// How far the frames of samples agree with the calls that were open at their time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleAgreement {
    /// The same recorded calls.
    pub agree: u64,
    /// The same but for innermost calls that are shorter than
    /// [`SampleAgreement::resolution_nanos`], that began or ended within it and the clocks' error,
    /// or that are on average shorter than both.
    pub short: u64,
    /// Other calls. Such a sample is where the time says.
    pub disagree: u64,
    /// All calls of this length and more were compared, in ns; zero if nothing was.
    pub resolution_nanos: u64,
}

/// The method of a frame without a probe.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampledName {
    /// Class in internal form: `java/util/TimSort`.
    pub class: String,
    /// Method name.
    pub name: String,
}

impl StackSamples {
    /// Whether any recording was asked for samples.
    pub fn is_recorded(&self) -> bool {
        self.source != SampleSource::Unasked
    }

    /// All samples in the tree.
    pub fn placed(&self) -> SampleCounts {
        self.tree.roots().map(|root| self.tree.total(root)).sum()
    }

    /// The name of a sampled frame.
    pub fn name(&self, name: u32) -> Option<&SampledName> {
        self.names.get(name as usize)
    }

    /// Adds those of another profile, whose frames `frame` turns into this one's.
    pub fn add(&mut self, other: &Self, frame: impl Fn(Frame) -> Frame) {
        self.source = self.source.and(other.source);
        self.period_nanos = match (self.period_nanos, other.period_nanos) {
            (0, only) | (only, 0) => only,
            (one, another) => one.max(another),
        };
        self.sampled_nanos = self.sampled_nanos.saturating_add(other.sampled_nanos);
        self.spanned_nanos = self.spanned_nanos.saturating_add(other.spanned_nanos);
        self.clock_error_nanos = self.clock_error_nanos.max(other.clock_error_nanos);
        self.elsewhere.add(other.elsewhere);
        self.agreement.add(other.agreement);
        let mut builder = SampleTreeBuilder::from_parts(
            std::mem::take(&mut self.names),
            &std::mem::take(&mut self.tree),
        );
        self.elsewhere.cut += builder.add_tree(&other.names, &other.tree, frame);
        (self.names, self.tree) = builder.finish();
    }

    /// Checks it against a profile with so many methods and threads. An error names a
    /// contradiction.
    pub(crate) fn check(&self, methods: usize, threads: usize) -> Result<(), Problem> {
        for node in self.tree.nodes() {
            let SampleNode { frame, depth, .. } = self.tree.node(node);
            let is_known = match frame {
                SampleFrame::Recorded(Frame::Thread(thread)) => {
                    depth == 0 && (thread.0 as usize) < threads
                }
                _ if depth == 0 => false,
                SampleFrame::Recorded(Frame::Method(method) | Frame::Task(method)) => {
                    (method.0 as usize) < methods
                }
                SampleFrame::Sampled(name) => (name as usize) < self.names.len(),
            };
            if !is_known {
                return Err(format!("sampled frame {} is of nothing that is there", node.0).into());
            }
        }
        Ok(())
    }
}

impl SampleSource {
    /// That of two recordings together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        both_sources([self, other], Self::Unasked, Self::Partly, Self::Some)
    }
}

impl SamplesElsewhere {
    fn add(&mut self, other: Self) {
        self.outside += other.outside;
        self.truncated += other.truncated;
        self.in_runtime += other.in_runtime;
        self.unknown = self.unknown.saturating_add(other.unknown);
        self.off_path = self.off_path.saturating_add(other.off_path);
        self.cut = self.cut.saturating_add(other.cut);
        self.thrown_away |= other.thrown_away;
    }
}

impl SampleAgreement {
    fn add(&mut self, other: Self) {
        self.agree = self.agree.saturating_add(other.agree);
        self.short = self.short.saturating_add(other.short);
        self.disagree = self.disagree.saturating_add(other.disagree);
        self.resolution_nanos = self.resolution_nanos.max(other.resolution_nanos);
    }

    /// Samples that were compared.
    pub fn compared(&self) -> u64 {
        self.agree.saturating_add(self.short).saturating_add(self.disagree)
    }
}

#[cfg(test)]
mod tests;
