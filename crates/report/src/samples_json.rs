//! Sampled frames as JSON.

use jfathom_profile::{NodeIx, Profile, SampleAgreement, SampleCounts, SampleIx, SampleSource};
use jfathom_views::ShownSamples;
use serde::Serialize;
use serde_json::{Value, json};

/// The samples in a node and below it, and the sampled frames that hang below it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NodeSamples {
    running: u64,
    native: u64,
    /// Each frame after the one that it is below.
    frames: Vec<FrameSamples>,
}

/// A sampled frame.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FrameSamples {
    /// The place of the frame above it among the node's; none directly below the node.
    parent: Option<usize>,
    name: String,
    running: u64,
    native: u64,
    own_running: u64,
    own_native: u64,
}

impl NodeSamples {
    pub(crate) fn of(samples: &ShownSamples, node: NodeIx) -> Self {
        let SampleCounts { running, native } = samples.total(node);
        let mut frames = Vec::new();
        let below = |of: Vec<SampleIx>, parent| of.into_iter().rev().map(move |of| (of, parent));
        let mut open: Vec<(SampleIx, Option<usize>)> = below(samples.below(node), None).collect();
        while let Some((of, parent)) = open.pop() {
            let (all, own) = (samples.sampled(of), samples.own(of));
            open.extend(below(samples.callees(of), Some(frames.len())));
            frames.push(FrameSamples {
                parent,
                name: samples.name(of),
                running: all.running,
                native: all.native,
                own_running: own.running,
                own_native: own.native,
            });
        }
        Self { running, native, frames }
    }
}

/// What is known of all samples; none if nobody asked for them.
pub(crate) fn head(profile: &Profile) -> Option<Value> {
    let samples = &profile.stack_samples;
    let source = match samples.source {
        SampleSource::Unasked => return None,
        SampleSource::Jfr => "jfr",
        SampleSource::Missing => "missing",
        SampleSource::Pending => "pending",
        SampleSource::Some => "some",
        SampleSource::Partly => "partly",
    };
    let counts = |of: SampleCounts| json!({ "running": of.running, "native": of.native });
    let SampleAgreement { agree, short, disagree, resolution_nanos } = samples.agreement;
    Some(json!({
        "source": source,
        "periodNanos": samples.period_nanos,
        "clockErrorNanos": samples.clock_error_nanos,
        "placed": counts(samples.placed()),
        "outside": counts(samples.elsewhere.outside),
        "truncated": counts(samples.elsewhere.truncated),
        "inRuntime": counts(samples.elsewhere.in_runtime),
        "unknown": samples.elsewhere.unknown,
        "offPath": samples.elsewhere.off_path,
        "cut": samples.elsewhere.cut,
        "thrownAway": samples.elsewhere.thrown_away,
        "agreement": {
            "agree": agree,
            "short": short,
            "disagree": disagree,
            "resolutionNanos": resolution_nanos,
        },
    }))
}
