//! A profile as JSON; `docs/reference/json.md` describes it.

mod column;
mod events;
mod jvm;
mod latency;
mod method;
mod node;
mod quality;
mod samples;
mod slowest;
mod stream;
mod times;
mod walks;

pub(crate) use stream::Stream;

use crate::{latency as shown_latency, slowest as shown_slowest, trust::json::Trust, view::View};
use jfathom_calibration::CorrectedTimes;
use jfathom_plan::UnfollowedCounts;
use jfathom_profile::{Profile, SampleSource};
use jfathom_views::{Pruned, sampled_roots};
use jvm::{Jvm, Meta, Thread};
use latency::{Latencies, SampledRoot};
use method::{Method, methods};
use node::{Node, nodes};
use quality::Quality;
use samples::StackSamples;
use slowest::{Slowest, slowest};
use std::io::{self, Write};
use times::{Anchor, Times};
use walks::StackWalks;

/// Raised with every change that readers of older documents must know of.
pub const JSON_VERSION: u32 = 8;

/// Writes a profile as one JSON document, followed by a newline. Depth, threshold and threads of
/// the view choose the nodes of the tree; threads and methods are always all there.
pub fn json(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let corrected = view.scope.corrected(profile);
    let corrected = corrected.as_ref();
    let shown = view.of(profile, corrected);
    serde_json::to_writer(&mut *out, &Report::of(profile, corrected, view, &shown))?;
    writeln!(out)
}

object! {
    Report<'a>(
        profile: &'a Profile, corrected: Option<&'a CorrectedTimes>, view: &View,
        shown: &'a Pruned<'a>,
    ) {
        #[cfg_attr(test, schemars(extend("const" = "jfathom-report")))]
        format: &'a str = "jfathom-report",
        #[cfg_attr(test, schemars(extend("const" = JSON_VERSION)))]
        version: u32 = JSON_VERSION,
        times: Times<'a> = Times::of(profile, corrected),
        anchor: Option<Anchor> = profile.anchor.as_ref().map(Anchor::of),
        /// kept apart (`--runs`, `merge --as series`); 1 after `merge`, `merge --as minimum`
        runs: usize = profile.run_count(),
        /// shared with the interleaved profile
        interleaving_id: Option<String> =
            profile.meta.interleaving_id.map(|id| format!("{id:016x}")),
        /// what the plans could not follow, by reason: `reflective-call`,
        /// `reflective-construction`, `computed-class-name`, `native-method`, `missing`,
        /// `unreadable-code`
        #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, u32>"))]
        unfollowed: &'a UnfollowedCounts = &profile.meta.unfollowed,
        quality: Quality<'a> = Quality::of(profile, &profile.quality),
        meta: Meta<'a> = Meta::of(&profile.meta),
        jvms: Vec<Jvm<'a>> = profile.meta.jvms.iter().map(Jvm::of).collect(),
        threads: Stream<'a, Thread<'a>> =
            Stream::of(profile.threads.iter().map(|thread| Thread::of(profile, thread))),
        methods: Stream<'a, Method<'a>> = methods(profile, corrected),
        sampled_roots: Vec<SampledRoot> =
            sampled_roots(profile).into_iter().map(SampledRoot::of).collect(),
        latencies: Latencies = Latencies::of(
            profile, &shown_latency::shown(profile, corrected, view), corrected.is_some(),
        ),
        /// by call path, slowest first, if kept
        #[serde(skip_serializing_if = "Option::is_none")]
        slowest: Option<Stream<'a, Slowest<'a>>> = (!profile.latencies.slowest.is_empty())
            .then(|| slowest(profile, corrected, shown_slowest::shown(profile, corrected, view))),
        /// if samples were compared
        #[serde(skip_serializing_if = "Option::is_none")]
        trust: Option<Trust<'a>> =
            profile.trust.as_ref().map(|trust| Trust::of(profile, trust, trust.by_verdict())),
        /// with `--metrics samples`
        #[serde(skip_serializing_if = "Option::is_none")]
        stack_samples: Option<StackSamples> =
            (profile.stack_samples.source != SampleSource::Unasked)
            .then(|| StackSamples::of(&profile.stack_samples)),
        /// with `--probe SELECTOR=time+stack/N`
        #[serde(skip_serializing_if = "Option::is_none")]
        stack_walks: Option<StackWalks> =
            profile.stack_walks.is_recorded().then(|| StackWalks::of(profile)),
        tree: Stream<'a, Node> = nodes(shown),
    }
}
