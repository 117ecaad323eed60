//! Sampled stacks.

use jfathom_profile::{
    NodeIx, SampleAgreement, SampleCounts, SampleIx, SampleSource, StackSamples as AllSamples,
};
use jfathom_views::ShownSamples;
use serde::Serialize;

object! {
    /// Samples in a node and below it.
    NodeSamples(samples: &ShownSamples, all: SampleCounts, node: NodeIx) {
        running: u64 = all.running,
        native: u64 = all.native,
        probes: u64 = all.probes,
        /// below, without probes, preorder
        frames: Vec<SampledFrame> = frames(samples, node),
    }
}

/// The sampled frames below a node, each after the one that it is below.
fn frames(samples: &ShownSamples, node: NodeIx) -> Vec<SampledFrame> {
    let mut frames = Vec::new();
    let below = |of: Vec<SampleIx>, parent| of.into_iter().rev().map(move |of| (of, parent));
    let mut open: Vec<(SampleIx, Option<usize>)> = below(samples.below(node), None).collect();
    while let Some((of, parent)) = open.pop() {
        open.extend(below(samples.callees(of), Some(frames.len())));
        let name = samples.name(of);
        frames.push(SampledFrame::of(parent, name, samples.sampled(of), samples.own(of)));
    }
    frames
}

object! {
    SampledFrame(parent: Option<usize>, name: String, all: SampleCounts, own: SampleCounts) {
        /// place
        parent: Option<usize> = parent,
        /// `java.util.TimSort::sort`
        name: String = name,
        /// with frames below
        running: u64 = all.running,
        native: u64 = all.native,
        /// as innermost frame
        own_running: u64 = own.running,
        own_native: u64 = own.native,
    }
}

object! {
    /// What is known of all samples.
    StackSamples(samples: &AllSamples) {
        agreement: Agreement = Agreement::of(samples.agreement),
        clock_error_nanos: u64 = samples.clock_error_nanos,
        /// without innermost frames, no room
        cut: u64 = samples.elsewhere.cut,
        /// in jfathom, in no node
        in_runtime: Samples = Samples::of(samples.elsewhere.in_runtime),
        /// in the deepest node of their path
        off_path: u64 = samples.elsewhere.off_path,
        outside: Samples = Samples::of(samples.elsewhere.outside),
        /// 0 if unknown
        period_nanos: u64 = samples.period_nanos,
        /// in recorded calls
        placed: Samples = Samples::of(samples.placed()),
        #[serde(with = "SamplesFrom")]
        source: SampleSource = samples.source,
        /// the oldest, by JFR
        thrown_away: bool = samples.elsewhere.thrown_away,
        /// without outer frames
        truncated: Samples = Samples::of(samples.elsewhere.truncated),
        /// for how long; 0 if unknown
        sampled_nanos: u64 = samples.sampled_nanos,
        /// without a stack
        unknown: u64 = samples.elsewhere.unknown,
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(remote = "SampleSource", rename_all = "lowercase")]
enum SamplesFrom {
    #[cfg_attr(test, schemars(skip))]
    Unasked,
    Jfr,
    Agent,
    Missing,
    Some,
    Partly,
    Pending,
}

object! {
    /// Of threads.
    Samples(counts: SampleCounts) {
        /// in native methods, perhaps waiting
        native: u64 = counts.native,
        /// in probes
        probes: u64 = counts.probes,
        running: u64 = counts.running,
    }
}

object! {
    /// Of stacks with the calls open then.
    Agreement(agreement: SampleAgreement) {
        agree: u64 = agreement.agree,
        /// in the open call, without frames
        disagree: u64 = agreement.disagree,
        /// shortest compared; 0: none
        resolution_nanos: u64 = agreement.resolution_nanos,
        /// but for innermost calls within resolution and clock error
        short: u64 = agreement.short,
    }
}
